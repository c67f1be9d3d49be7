import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { isNamedIn } from './essential-files.ts';
import type { FileAssignment, FileContext } from './file-context.ts';
import { isTest } from './known-file.ts';
import { isCardNamed } from './method-names.ts';
import { ownersOf } from './owners.ts';
import type { Requirement } from './requirement.ts';
import { relevantValues } from './relevant-values.ts';

type Matter = Pick<
  FileContext,
  | 'requirements'
  | 'tested'
  | 'experiments'
  | 'configuration'
  | 'methodCards'
  | 'ledger'
  | 'deviations'
>;

/**
 * What of the plan concerns one file: requirements it owns, experiments it takes part in, values, method cards. What the
 * round's subplan tells it concerns it as its entry does.
 */
export function fileMatter(
  blueprint: Blueprint,
  file: BlueprintFile,
  assignment?: FileAssignment,
): Matter {
  const owned = new Set(file.owns);
  const requirements = blueprint.requirements.filter(({ id }) => owned.has(id));
  const experiments = blueprint.experiments.filter((each) => concerns(each, file));
  const entry = [
    ...[file.path, file.purpose, file.signatures, file.instructions],
    ...(assignment ? [assignment.instructions, assignment.integrationNotes] : []),
    ...(assignment?.checks ?? []).map(({ text }) => text),
  ].join(' ');
  return {
    requirements,
    tested: testedBy(file, blueprint),
    experiments,
    configuration: readsAllValues(file)
      ? blueprint.configuration
      : relevantValues(blueprint.configuration, { entry, owned, experiments }),
    ledger: isReadme(file) ? ledgerOf(blueprint) : [],
    deviations: isReadme(file) ? blueprint.configuration.filter(({ deviates }) => deviates) : [],
    methodCards: speaksForAll(file)
      ? []
      : blueprint.methodCards.filter(({ name }) => isCardNamed(name, entry, requirements)),
  };
}

/** What a test checks: the requirements of the code that it needs, but for its own; settings it sees whole. */
function testedBy({ path, needs, owns }: BlueprintFile, blueprint: Blueprint): Requirement[] {
  if (!isTest(path)) return [];
  const met = new Set(
    blueprint.files
      .filter((file) => file.path.endsWith('.py') && needs.includes(file.path))
      .flatMap((file) => file.owns),
  );
  return blueprint.requirements.filter(({ id }) => met.has(id) && !owns.includes(id));
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
  return blueprint.requirements.map(({ id, place, otherPlaces, demand, scope }) => ({
    id,
    place,
    otherPlaces,
    demand,
    scope,
    owners: ownersOf(id, blueprint),
  }));
}
