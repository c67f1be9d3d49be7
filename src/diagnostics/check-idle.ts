import type { FunctionFact } from './class-facts.ts';
import { type CodeIndex, resolveReference } from './code-index.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';
import type { HandedOn, IdleParameter } from './trace-facts.ts';

/** Methods whose parameters a framework or a convention sets. */
const OF_FRAMEWORKS =
  /^(fit|transform|fit_transform|inverse_transform|predict\w*|score|step|reset|forward|render|setup|update|collate\w*|(training|validation|test|predict)_\w+|on_\w+|configure_\w+|visit_\w+|act|sample|seed)$/;
/** What is kept for whoever looks at an object. */
const DESCRIBES =
  /^(name|names|title|description|doc|label|version|verbose|metadata|author|id|uid|info|parent|owner)$|_(name|names|id|info)$/;

interface Idle extends IdleParameter {
  readonly file: ParsedFile;
}

/** Parameters that come in and never reach a use, however far they are handed on: told where they end. */
export function checkIdle(index: CodeIndex, planned: readonly string[]): Sighting[] {
  if (planned.some((path) => path.endsWith('.py'))) return [];
  const files = [...index.map.files.values()].filter(({ language }) => language === 'python');
  if (files.some(({ problems }) => problems.length > 0)) return [];
  const code = files.filter(({ path }) => !isTest(path));
  const asked = askedElsewhere(files);
  const idle = new Map<string, Idle>();
  for (const file of code)
    for (const one of file.code.traces.idle)
      if (!asked(file, one.symbol))
        idle.set(keyOf(file.path, one.symbol, one.name), { ...one, file });
  const read = attributesRead(files);
  const { dead, targets } = withoutUse(index, idle, read);
  return [...dead].flatMap(([key, one]) => {
    const ends = (targets.get(key) ?? []).every((target) => target === key);
    const isTold = one.file.faults.some(({ symbol }) => symbol === `${one.symbol}: ${one.name}`);
    // A constructor that another class's hands its parameter to is where that ends.
    if (!ends || isTold) return [];
    const givers = [...dead].filter(
      ([other]) => other !== key && targets.get(other)?.includes(key),
    );
    // What one file tells alone has its own rule there, and its own exceptions.
    const isPlain =
      !one.symbol.includes('.') && one.stored.length === 0 && one.handedOn.length === 0;
    return isPlain && givers.length === 0
      ? []
      : [
          sighting(
            one,
            givers.map(([, { symbol }]) => symbol),
          ),
        ];
  });
}

function sighting({ file, symbol, name, line, stored }: Idle, givers: readonly string[]): Sighting {
  const [attribute] = stored;
  const chain =
    givers.length === 0
      ? ''
      : `, though ${givers.map((one) => `\`${one}\``).join(' and ')} ${givers.length > 1 ? 'hand' : 'hands'} it on`;
  return {
    ...{ kind: 'ignored-input', path: file.path, symbol: `${symbol}: ${name}`, line },
    message: (places) =>
      attribute === undefined
        ? `${file.path}: \`${symbol}\` ${places} accepts \`${name}\` and never uses it${chain}.`
        : `${file.path}: \`${symbol}\` ${places} keeps \`${name}\` as \`self.${attribute}\`, which no file reads${chain}.`,
    remedy: `Let \`${name}\` reach its use, or take it away together with what is passed for it.`,
  };
}

function keyOf(path: string, symbol: string, name: string): string {
  return `${path}#${symbol}#${name}`;
}

/** Whether something else than a call in the repository may set a function's parameters: it is handed on, or one of a family. */
function askedElsewhere(
  files: readonly ParsedFile[],
): (file: ParsedFile, symbol: string) => boolean {
  const handedOn = new Set(files.flatMap(({ code }) => code.traces.handedOn));
  const mentioned = new Set(files.flatMap(({ exported }) => exported ?? []));
  const methods = new Map<string, number>();
  const shapes = new Map<string, number>();
  const count = (counts: Map<string, number>, key: string): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  for (const { settings } of files)
    for (const { symbol, parameters } of settings.flow.functions) {
      count(methods, lastName(symbol));
      count(shapes, parameters.join(', '));
    }
  return (file, symbol) => {
    const name = lastName(symbol);
    const isMethod = symbol.includes('.');
    const called = name === '__init__' ? (symbol.split('.')[0] ?? '') : name;
    if (handedOn.has(called) || mentioned.has(called)) return true;
    if (isMethod && name !== '__init__')
      return OF_FRAMEWORKS.test(name) || (methods.get(name) ?? 0) > 1;
    const own = file.settings.flow.functions.find((one) => one.symbol === symbol)?.parameters ?? [];
    return own.length > 1 && (shapes.get(own.join(', ')) ?? 0) > 1;
  };
}

function lastName(symbol: string): string {
  return symbol.split('.').at(-1) ?? symbol;
}

/** Whether some file may read an attribute of a class's objects. */
function attributesRead(files: readonly ParsedFile[]): (one: Idle, attribute: string) => boolean {
  const names = new Set(
    files.flatMap(({ code, settings }) => [
      ...code.traces.attributesRead,
      ...code.traces.ownAttributesRead,
      ...settings.strings,
    ]),
  );
  const all = files.filter(({ code }) => code.traces.readsAll);
  return ({ file, symbol }, attribute) => {
    const owner = symbol.split('.')[0] ?? '';
    return (
      names.has(attribute) ||
      DESCRIBES.test(attribute) ||
      all.some((one) => one === file || one.settings.names.includes(owner))
    );
  };
}

/** The parameters all of whose ways end in nothing, and what each is handed on to. */
function withoutUse(
  index: CodeIndex,
  idle: ReadonlyMap<string, Idle>,
  isRead: (one: Idle, attribute: string) => boolean,
): { readonly dead: Map<string, Idle>; readonly targets: Map<string, readonly string[]> } {
  const dead = new Map(
    [...idle].filter(([, one]) => !one.stored.some((name) => isRead(one, name))),
  );
  const targets = new Map<string, readonly string[]>();
  for (const [key, one] of dead)
    targets.set(
      key,
      one.handedOn.map((handed) => targetOf(index, one, handed) ?? ''),
    );
  for (let shrinks = true; shrinks;) {
    const alive = [...dead.keys()].filter((key) =>
      targets.get(key)?.some((target) => !dead.has(target)),
    );
    for (const key of alive) dead.delete(key);
    shrinks = alive.length > 0;
  }
  return { dead, targets };
}

/** The parameter that an argument becomes. */
function targetOf(
  index: CodeIndex,
  { file, symbol: from }: Idle,
  { callee, slot }: HandedOn,
): string | undefined {
  const found = calledFunction(index, file, callee, from);
  if (found === undefined) return undefined;
  const { path, fact, isBound } = found;
  const parameters = isBound ? fact.parameters.slice(1) : fact.parameters;
  const parameter =
    typeof slot === 'string'
      ? parameters.find(({ name }) => name === slot)
      : parameters.filter(({ kind }) => kind !== 'keyword')[slot];
  if (parameter === undefined || /^(rest|keywords)$/.test(parameter.kind)) return undefined;
  return keyOf(path, fact.symbol, parameter.name);
}

interface Called {
  readonly path: string;
  readonly fact: FunctionFact;
  readonly isBound: boolean;
}

function calledFunction(
  index: CodeIndex,
  file: ParsedFile,
  callee: HandedOn['callee'],
  from: string,
): Called | undefined {
  const method = (path: string, owner: string, name: string): Called | undefined => {
    const binding = index.bindings.get(path)?.get(owner);
    const fact =
      binding?.kind === 'class'
        ? binding.class.methods.find(({ symbol }) => symbol === `${owner}.${name}`)
        : undefined;
    return fact && { path, fact, isBound: fact.role !== 'static' };
  };
  switch (callee.kind) {
    case 'reference': {
      const entity = resolveReference(index, file.path, callee.reference);
      if (entity?.kind === 'function')
        return { path: entity.path, fact: entity.function, isBound: false };
      return entity?.kind === 'class'
        ? method(entity.path, entity.class.name, '__init__')
        : undefined;
    }
    case 'member': {
      const { receiver, method: name } = callee;
      if (name === null || receiver.kind === 'super' || receiver.kind === 'self-attribute')
        return undefined;
      if (receiver.kind === 'self') return method(file.path, receiver.owner, name);
      const entity = resolveReference(index, file.path, receiver.of);
      return entity?.kind === 'class' ? method(entity.path, entity.class.name, name) : undefined;
    }
    case 'function':
    case 'own-class':
      return callee.kind === 'own-class'
        ? method(file.path, from.split('.')[0] ?? '', '__init__')
        : undefined;
  }
}
