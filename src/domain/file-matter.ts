import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { deviationsOf } from './deviations.ts';
import { isNamedIn } from './essential-files.ts';
import type { FileContext } from './file-context.ts';
import { isCardNamed } from './method-names.ts';
import { splitConfiguration } from './relevant-values.ts';

type Matter = Pick<
  FileContext,
  'requirements' | 'experiments' | 'configuration' | 'otherKeys' | 'methodCards' | 'ledger'
>;

/** What of the plan concerns one file: requirements it owns, experiments it takes part in, values, method cards. */
export function fileMatter(blueprint: Blueprint, file: BlueprintFile): Matter {
  const owned = new Set(file.owns);
  const requirements = blueprint.requirements.filter(({ id }) => owned.has(id));
  const experiments = blueprint.experiments.filter((each) => concerns(each, file));
  const entry = `${file.path} ${file.purpose} ${file.signatures} ${file.instructions}`;
  return {
    requirements,
    experiments,
    ...(readsAllValues(file)
      ? { configuration: blueprint.configuration, otherKeys: [] }
      : splitConfiguration(blueprint.configuration, { entry, owned, experiments })),
    ledger: isReadme(file) ? ledgerOf(blueprint) : [],
    methodCards: speaksForAll(file)
      ? []
      : blueprint.methodCards.filter(({ name }) => isCardNamed(name, entry, requirements)),
  };
}

function concerns(experiment: Blueprint['experiments'][number], file: BlueprintFile): boolean {
  if (speaksForAll(file)) return true;
  if (isNamedIn(file.path, experiment.command)) return true;
  const mention = new RegExp(`(^|[^A-Za-z0-9])${experiment.id}([^A-Za-z0-9]|$)`);
  if (mention.test(`${file.purpose}\n${file.instructions}`)) return true;
  return experiment.measures.some((measure) => measure.file === file.path);
}

/** Files that speak for the whole repository: settings, documentation, scripts. */
function speaksForAll({ path }: BlueprintFile): boolean {
  return /\.(?:ya?ml|json|toml|md|sh)$/i.test(path);
}

/** Those, and the code that reads and checks the settings. */
function readsAllValues(file: BlueprintFile): boolean {
  return speaksForAll(file) || /(?:^|\/)(?:settings|config\w*)\.py$/i.test(file.path);
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
