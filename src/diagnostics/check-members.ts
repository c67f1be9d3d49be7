import { type Families, heirsOf, type Lineage, lineageOf, mayHave } from './class-family.ts';
import type { MemberUse } from './code-facts.ts';
import type { CodeIndex, LocalClass } from './code-index.ts';
import { membersOfLibrary } from './library-members.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import { classOfReceiver } from './receiver-class.ts';
import type { Sighting } from './sightings.ts';

const PYDANTIC = /^pydantic(_settings)?\./;

/** Attributes and methods of one file that the object's class, its bases and its heirs all lack. */
export function checkMembers(index: CodeIndex, families: Families, file: ParsedFile): Sighting[] {
  return file.code.members.flatMap((use) => {
    const local = classOf(index, families, file.path, use);
    if (local === undefined || isSetElsewhere(index, families, use.name)) return [];
    const lineages =
      use.receiver.kind === 'instance' ? [lineageOf(families, local)] : heirsOf(families, local);
    if (lineages === undefined || lineages.some((lineage) => mayHave(lineage, use.name))) return [];
    return [missingMember(file, use, local, lineages)];
  });
}

function isSetElsewhere(index: CodeIndex, families: Families, name: string): boolean {
  return index.attributesSet.has(name) || index.otherAttributes.has(name) || families.maySet(name);
}

/** Of a dataclass or a model of pydantic that a parameter is annotated with, the fields are the contract; other parameters may be anything alike. */
function classOf(
  index: CodeIndex,
  families: Families,
  path: string,
  { receiver }: MemberUse,
): LocalClass | undefined {
  const local = classOfReceiver(index, families, path, receiver);
  if (receiver.kind !== 'annotated' || local === undefined) return local;
  const isModel =
    lineageOf(families, local).libraries.some((name) => PYDANTIC.test(name)) &&
    // `extra="allow"`
    index.map.files.get(local.path)?.settings.strings.includes('allow') === false;
  return local.class.dataclass || isModel ? local : undefined;
}

function missingMember(
  { path }: ParsedFile,
  { name, line, symbol }: MemberUse,
  local: LocalClass,
  lineages: readonly Lineage[],
): Sighting {
  const { name: className } = local.class;
  const known = lineages.flatMap(({ classes, libraries }) => [
    ...classes.flatMap((one) => one.class.attributes),
    ...libraries.flatMap((library) => [...(membersOfLibrary(library) ?? [])]),
  ]);
  const near = nearestName(
    name,
    known.filter((one) => !one.startsWith('__')),
  );
  const instead = near === undefined ? '' : `Use \`${near}\`, which it has, or define`;
  const home = local.path === path ? '' : ` of ${local.path}`;
  return {
    kind: 'unresolved-name',
    path,
    symbol: `${symbol === '' ? '' : `${symbol}: `}${className}.${name}`,
    line,
    message: (places) =>
      `${path} reads \`${name}\` of a \`${className}\`${home} ${places}, but neither the class nor what it inherits from defines or sets it, so the access fails.`,
    remedy: `${instead === '' ? 'Define' : instead} \`${name}\` in \`${className}\`.`,
  };
}
