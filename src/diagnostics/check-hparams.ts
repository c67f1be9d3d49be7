import { type Families, heirsOf } from './class-family.ts';
import { classIn, type CodeIndex } from './code-index.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

const LIGHTNING = /\.Lightning(Data)?Module$/;
/** What a mapping of hyper-parameters has besides its keys. */
const OF_MAPPINGS = /^(get|items|keys|values|pop|update|copy|setdefault|clear|popitem|__\w+__)$/;

/** Hyper-parameters of Lightning's classes that no constructor of the family takes, and that no call, flag or settings file names. */
export function checkHyperParameters(
  index: CodeIndex,
  families: Families,
  file: ParsedFile,
): Sighting[] {
  const uses = file.code.members.filter(
    ({ receiver }) => receiver.kind === 'self-attribute' && receiver.attribute === 'hparams',
  );
  if (uses.length === 0) return [];
  const said = namesSaid(index);
  return uses.flatMap(({ receiver, name, line, symbol }): Sighting[] => {
    const owner = receiver.kind === 'self-attribute' ? receiver.owner : '';
    const local = classIn(index, file.path, owner);
    const lineages = local === undefined ? undefined : heirsOf(families, local);
    if (lineages === undefined || OF_MAPPINGS.test(name) || said.has(name)) return [];
    const classes = lineages.flatMap((one) => one.classes);
    const isLightning = lineages.every(({ libraries }) =>
      libraries.some((library) => LIGHTNING.test(library)),
    );
    if (!isLightning || !savesParameters(index, classes)) return [];
    const taken = classes.flatMap(({ class: { methods } }) =>
      methods
        .filter((method) => method.symbol.endsWith('.__init__'))
        .flatMap(({ parameters }) => parameters.map((one) => one.name)),
    );
    if (taken.includes(name)) return [];
    const near = nearestName(name, taken);
    return [
      {
        ...{ kind: 'unresolved-name', path: file.path, line },
        symbol: `${symbol === '' ? '' : `${symbol}: `}hparams.${name}`,
        message: (places) =>
          `${file.path} reads \`self.hparams.${name}\` ${places}, but no constructor of \`${owner}\`'s family takes \`${name}\`, so it is not among the hyper-parameters that are saved.`,
        remedy: `${near === undefined ? '' : `Read \`${near}\`, or t`}${near === undefined ? 'T' : ''}ake \`${name}\` in the constructor.`,
      },
    ];
  });
}

/** Whether classes save what their constructors are given, and nothing that is made up. */
function savesParameters(
  { map }: CodeIndex,
  classes: readonly { readonly path: string; readonly class: { readonly name: string } }[],
): boolean {
  const calls = classes.flatMap(({ path, class: { name } }) =>
    (map.files.get(path)?.code.calls ?? []).filter(
      ({ callee }) =>
        callee.kind === 'member' &&
        callee.method === 'save_hyperparameters' &&
        callee.receiver.kind === 'self' &&
        callee.receiver.owner === name,
    ),
  );
  return (
    calls.length > 0 &&
    calls.every(
      ({ positional, hasRest, hasKeywords }) => positional === 0 && !hasRest && !hasKeywords,
    )
  );
}

/** Names by which a hyper-parameter may be given: of arguments, in strings, and in settings files. */
function namesSaid({ map }: CodeIndex): ReadonlySet<string> {
  return new Set(
    [...map.files.values()].flatMap(({ settings, code: { attributesSet, commandLine } }) => [
      ...settings.keywords,
      ...settings.strings,
      ...(settings.defines ?? []).flatMap(({ path }) => path),
      ...attributesSet,
      ...commandLine.arguments.map(({ destination }) => destination),
    ]),
  );
}
