import { type Families, heirsOf, isModule, lineageOf, methodOf } from './class-family.ts';
import type { FunctionFact, Parameter } from './class-facts.ts';
import type { CallFact, Receiver } from './code-facts.ts';
import { classIn, type CodeIndex, type LocalClass, resolveReference } from './code-index.ts';
import { constructorOf } from './constructor.ts';
import { mismatchOf } from './match-call.ts';
import type { ParsedFile } from './parsed-file.ts';
import { classOfReceiver, heldObject } from './receiver-class.ts';
import type { Sighting } from './sightings.ts';

/** Where a callable is defined, with what callers give it; all that may be called where several may. */
interface Callable {
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** Calls of one file that cannot succeed, whatever the values are. */
export function checkCalls(index: CodeIndex, families: Families, file: ParsedFile): Sighting[] {
  return file.code.calls.flatMap((call) => {
    const callables = callablesOf(index, families, file.path, call);
    const mismatches = callables.map(({ parameters }) => mismatchOf(call, parameters));
    const [mismatch] = mismatches;
    const [callable] = callables;
    // Where several methods may be meant, the call must fit none of them.
    if (!mismatch || !callable || mismatches.some((one) => one === undefined)) return [];
    const home = callable.path === file.path ? '' : ` (defined in ${callable.path})`;
    const scope = call.symbol === '' ? '' : `${call.symbol}: `;
    return [
      {
        kind: 'wrong-call' as const,
        path: file.path,
        symbol: scope + call.written,
        line: call.line,
        message: (places: string) =>
          `${file.path} ${places} ${mismatch.what}${home}, so the call fails.`,
        remedy: `${mismatch.remedy.charAt(0).toUpperCase()}${mismatch.remedy.slice(1)}.`,
      },
    ];
  });
}

/** What a call may reach; empty where that can't be known. */
function callablesOf(
  index: CodeIndex,
  families: Families,
  path: string,
  { callee }: CallFact,
): readonly Callable[] {
  switch (callee.kind) {
    case 'function':
      return [{ path, parameters: callee.function.parameters }];
    case 'reference': {
      const entity = resolveReference(index, path, callee.reference);
      if (entity?.kind === 'class')
        return made(entity.path, constructorOf(index, families, entity));
      if (entity?.kind !== 'function') return [];
      return made(entity.path, throughClass(entity.function));
    }
    case 'own-class': {
      const owner = classIn(index, path, callee.owner);
      if (owner === undefined) return [];
      return allOrNone(
        (heirsOf(families, owner) ?? []).map(
          ({ classes: [heir] }) =>
            heir && callable(heir.path, constructorOf(index, families, heir)),
        ),
      );
    }
    case 'member':
      return membersOf(index, families, path, callee.receiver, callee.method);
  }
}

function membersOf(
  index: CodeIndex,
  families: Families,
  path: string,
  receiver: Receiver,
  method: string | null,
): readonly Callable[] {
  switch (receiver.kind) {
    case 'self':
      return selfCall(index, families, path, receiver.owner, method);
    case 'self-attribute':
      return [];
    case 'super':
      return superCall(index, families, path, receiver.owner, method);
    case 'instance': {
      const local = classOfReceiver(index, families, path, receiver);
      return local ? instanceCall(index, families, local, method) : [];
    }
    // A parameter may be given something else than its annotation says.
    case 'annotated':
      return [];
  }
}

/** `self.method(…)`: of this class, or of any that inherits from it. `self.attribute(…)` where it holds a new object. */
function selfCall(
  index: CodeIndex,
  families: Families,
  path: string,
  owner: string,
  method: string | null,
): readonly Callable[] {
  const local = classIn(index, path, owner);
  if (local === undefined) return [];
  const held = method === null ? undefined : heldObject(index, families, local, method);
  if (held !== undefined) return instanceCall(index, families, held, null);
  const name = method ?? '__call__';
  const heirs = heirsOf(families, local) ?? [];
  const found = heirs.map((lineage): Callable | undefined => {
    const fact = methodOf(index, lineage, name);
    return typeof fact === 'string'
      ? undefined
      : callable(lineage.classes[0]?.path ?? path, bound(fact));
  });
  return allOrNone(found);
}

function superCall(
  index: CodeIndex,
  families: Families,
  path: string,
  owner: string,
  method: string | null,
): readonly Callable[] {
  const local = classIn(index, path, owner);
  const [base, ...others] = local?.class.bases ?? [];
  const entity = base && resolveReference(index, path, base);
  if (!local || method === null || entity?.kind !== 'class' || others.length > 0) return [];
  // With several bases somewhere below, `super()` may be a sibling.
  if (heirsOf(families, local)?.every(({ isSingle }) => isSingle) !== true) return [];
  if (method === '__init__') return made(entity.path, constructorOf(index, families, entity));
  const fact = methodOf(index, lineageOf(families, entity), method);
  return typeof fact === 'string' ? [] : made(entity.path, bound(fact));
}

function instanceCall(
  index: CodeIndex,
  families: Families,
  local: LocalClass,
  method: string | null,
): readonly Callable[] {
  const lineage = lineageOf(families, local);
  if (local.class.isDynamic) return [];
  const called = methodOf(index, lineage, method ?? '__call__');
  // PyTorch's `__call__` hands everything to `forward`.
  const isForwarded = method === null && called !== 'unknown' && isModule(lineage);
  const fact = isForwarded && called === 'absent' ? methodOf(index, lineage, 'forward') : called;
  return typeof fact === 'string' ? [] : made(local.path, bound(fact));
}

/** Parameters of a method called on an object; undefined for a property, whose value is what is called. */
function bound({ role, parameters }: FunctionFact): readonly Parameter[] | undefined {
  if (role === 'property') return undefined;
  if (role === 'static' || role === 'function') return parameters;
  // `def f(*args)` takes `self` as one of them.
  return parameters[0]?.kind === 'rest' ? parameters : parameters.slice(1);
}

/** Parameters of a function, or of a method called on its class. */
function throughClass(fact: FunctionFact): readonly Parameter[] | undefined {
  return fact.role === 'class' || fact.role === 'property' ? bound(fact) : fact.parameters;
}

function callable(
  path: string,
  parameters: readonly Parameter[] | undefined,
): Callable | undefined {
  return parameters && { path, parameters };
}

function made(path: string, parameters: readonly Parameter[] | undefined): readonly Callable[] {
  return allOrNone([callable(path, parameters)]);
}

function allOrNone(callables: readonly (Callable | undefined)[]): readonly Callable[] {
  const known = callables.filter((one) => one !== undefined);
  return known.length === callables.length ? known : [];
}
