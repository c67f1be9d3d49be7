import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { deviationsOf } from './deviations.ts';
import { isNamedIn } from './essential-files.ts';
import type { FileContext } from './file-context.ts';

/** Up to this many values are shown to every file, so that all of them read the same keys. */
const ALL_VALUES = 150;

/** Shorter names count only as whole words; longer ones also with an ending, as in "plain sums". */
const WHOLE_WORD = 6;

type Matter = Pick<
  FileContext,
  'requirements' | 'experiments' | 'configuration' | 'methodCards' | 'ledger'
>;

/** What of the plan concerns one file: requirements it owns, experiments it takes part in, values, method cards. */
export function fileMatter(blueprint: Blueprint, file: BlueprintFile): Matter {
  const owned = new Set(file.owns);
  const requirements = blueprint.requirements.filter(({ id }) => owned.has(id));
  const experiments = blueprint.experiments.filter((each) => concerns(each, file));
  const own = [
    `${file.path} ${file.purpose} ${file.signatures} ${file.instructions}`,
    ...requirements.map(({ demand, quote }) => `${demand} ${quote}`),
  ].join('\n');
  const axes = experiments.flatMap((each) => each.axes.flatMap(({ values }) => values));
  const words = [own, ...axes].join('\n');
  return {
    requirements,
    experiments,
    configuration: blueprint.configuration.filter(
      ({ key, requirements: ids }) =>
        blueprint.configuration.length <= ALL_VALUES ||
        isForAll(file) ||
        ids.some((id) => owned.has(id)) ||
        words.includes(key),
    ),
    ledger: isReadme(file) ? ledgerOf(blueprint) : [],
    methodCards: isForAll(file)
      ? []
      : blueprint.methodCards.filter(({ name }) => isCardNamed(name, own)),
  };
}

function concerns(experiment: Blueprint['experiments'][number], file: BlueprintFile): boolean {
  if (isForAll(file)) return true;
  if (isNamedIn(file.path, experiment.command)) return true;
  const mention = new RegExp(`(^|[^A-Za-z0-9])${experiment.id}([^A-Za-z0-9]|$)`);
  if (mention.test(`${file.purpose}\n${file.instructions}`)) return true;
  return experiment.measures.some((measure) => measure.file === file.path);
}

/** Files that speak for the whole repository: settings, documentation, scripts. */
function isForAll({ path }: BlueprintFile): boolean {
  return /\.(?:ya?ml|toml|md|sh)$/i.test(path);
}

function isReadme({ path }: BlueprintFile): boolean {
  return /(^|\/)readme\.md$/i.test(path);
}

function ledgerOf(blueprint: Blueprint): Matter['ledger'] {
  const { requirements, files } = blueprint;
  const deviations = deviationsOf(blueprint);
  return requirements.map(({ id, place, otherPlaces, demand, scope }) => ({
    id,
    place,
    otherPlaces,
    demand,
    scope,
    deviation: deviations.get(id) ?? '',
    owners: files.filter(({ owns }) => owns.includes(id)).map(({ path }) => path),
  }));
}

/** A card `Proximal Policy Optimisation (PPO)` is named by its whole name, by what stands in brackets, and without it. */
function isCardNamed(card: string, words: string): boolean {
  const short = /\(([^()]{1,80})\)/.exec(card)?.[1] ?? '';
  const long = card.split('(')[0] ?? '';
  return [card, short, long].some((name) => name.trim().length > 1 && isWordIn(name.trim(), words));
}

/** A name of one word, such as Line or EMA, is meant only where it is written as a name. */
function isWordIn(name: string, words: string): boolean {
  const isOneWord = /^[\p{L}\p{N}]+$/u.test(name);
  const spaced = (text: string): string =>
    ` ${(isOneWord ? text : text.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const wanted = spaced(name).trim();
  return spaced(words).includes(` ${wanted}${wanted.length < WHOLE_WORD ? ' ' : ''}`);
}
