import { type Families, heirsOf, type Lineage, lineageOf } from './class-family.ts';
import type { OperationUse } from './code-facts.ts';
import type { CodeIndex, LocalClass } from './code-index.ts';
import { doingOf, lackingFor } from './operations.ts';
import type { ParsedFile } from './parsed-file.ts';
import { classOfReceiver } from './receiver-class.ts';
import type { Sighting } from './sightings.ts';

/** Bases that give objects no operations. */
const WITHOUT_OPERATIONS = /^(object|abc\.ABC|typing\.Generic)$/;
const MAX_METHODS_NAMED = 4;

/** What one file does with objects of the repository's classes that their classes do not provide for: `in`, iteration, subscripts, `len`, `with`, calls. */
export function checkOperations(
  index: CodeIndex,
  families: Families,
  file: ParsedFile,
): Sighting[] {
  return file.code.operations.flatMap((use) => {
    const local = classOfReceiver(index, families, file.path, use.receiver);
    const lineages = local && lineagesOf(families, local, use);
    if (local === undefined || lineages === undefined || lineages.length === 0) return [];
    const lacking = lineages.map((lineage) =>
      lackingFor(use.operation, (method) => mayProvide(index, lineage, method)),
    );
    const [method] = lacking;
    // Where objects of several classes may be meant, all must lack it.
    if (method === undefined || lacking.includes(undefined)) return [];
    return [unprovided(file, use, local, method)];
  });
}

/** The class alone where the object was just made of it, and otherwise all that inherit from it; undefined where these can't be known. */
function lineagesOf(
  families: Families,
  local: LocalClass,
  { receiver }: OperationUse,
): readonly Lineage[] | undefined {
  if (receiver.kind === 'instance' || receiver.kind === 'self-attribute')
    return [lineageOf(families, local)];
  const heirs = heirsOf(families, local);
  // What is made to be inherited from may count on what its heirs, which are not written yet, will have.
  const isUnfinished =
    heirs?.length === 1 &&
    (/(Mixin|Base|Interface)$|^(Base|Abstract)/.test(local.class.name) ||
      heirs[0]?.libraries.includes('abc.ABC'));
  return isUnfinished ? undefined : heirs;
}

/** Python looks for these methods in the class and never on the object, so what is set on objects does not count. */
function mayProvide(
  index: CodeIndex,
  { classes, libraries, isKnown }: Lineage,
  method: string,
): boolean {
  return (
    !isKnown ||
    index.attributesSet.has(method) ||
    !libraries.every((library) => WITHOUT_OPERATIONS.test(library)) ||
    classes.some((one) => one.class.attributes.includes(method))
  );
}

function unprovided(
  { path }: ParsedFile,
  { operation, written, line, symbol }: OperationUse,
  local: LocalClass,
  method: string,
): Sighting {
  const { name, methods } = local.class;
  const has = methods
    .map((one) => one.symbol.split('.')[1] ?? '')
    .filter((one) => !one.startsWith('_'))
    .slice(0, MAX_METHODS_NAMED)
    .map((one) => `\`${one}\``);
  const use = has.length === 0 ? 'Use its attributes' : `Use what it has (${has.join(', ')})`;
  return {
    kind: 'wrong-call',
    path,
    symbol: `${symbol === '' ? '' : `${symbol}: `}${name}.${method}`,
    line,
    message: (places) =>
      `${path} ${doingOf(operation)} \`${written}\` ${places}, a \`${name}\` of ${local.path}, but neither that class nor what it inherits from defines \`${method}\`, so it fails.`,
    remedy: `${use}, or define \`${method}\` in \`${name}\`.`,
  };
}
