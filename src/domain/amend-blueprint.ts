import type { Blueprint, BlueprintFile } from './blueprint.ts';
import type {
  AmendedExperiment,
  AmendedFile,
  BlueprintAmendments,
  CheckedBlueprint,
} from './blueprint-draft.ts';
import type { Experiment } from './experiment.ts';
import { firstSentences } from './first-sentences.ts';
import { MOST_CORRECTIONS, repairBlueprint } from './repair-blueprint.ts';
import type { Requirement } from './requirement.ts';

const DEFAULT_LINES = 150;

/**
 * The blueprint with amendments: fields that they name replace the old ones, new files and experiments are added,
 * what is retired goes, and the whole is repaired again. What is both amended and retired goes, too.
 * Throws `NoBlueprint` when no file is left.
 */
export function amendBlueprint(
  blueprint: Blueprint,
  amendments: BlueprintAmendments,
): CheckedBlueprint {
  const refused: string[] = [];
  const added = addedRequirements(blueprint, amendments);
  const owners = [
    ...amendments.owners,
    ...added.flatMap(({ requirement: { id }, owner }) =>
      owner === '' ? [] : [{ requirement: id, path: owner }],
    ),
  ];
  const files = amendedFiles(blueprint.files, { ...amendments, owners }, refused);
  const retired = new Set(amendments.retired);
  const known = knownNames(blueprint, amendments);
  for (const name of retired) {
    if (!known.has(name)) refused.push(`${name}: is not in the plan, so it cannot be retired.`);
  }
  const checked = repairBlueprint({
    ...blueprint,
    ...amendments.plan,
    files,
    requirements: [...blueprint.requirements, ...added.map(({ requirement }) => requirement)],
    experiments: amendedExperiments(blueprint.experiments, amendments.experiments),
    configuration: replaced(
      blueprint.configuration,
      amendments.configuration,
      ({ key }) => key,
    ).filter(({ key }) => !retired.has(key)),
    methodCards: replaced(blueprint.methodCards, amendments.methodCards, ({ name }) =>
      name.toLowerCase(),
    ).filter(({ name }) => !retired.has(name)),
    environment: { ...blueprint.environment, ...amendments.environment },
  });
  const corrections = firstSentences([...refused, ...checked.corrections], MOST_CORRECTIONS);
  return { ...checked, corrections };
}

/** What the ledger lacked, with ids behind its last one. A demand that it has in the same words is not added again. */
function addedRequirements(
  { requirements }: Blueprint,
  amendments: BlueprintAmendments,
): { readonly requirement: Requirement; readonly owner: string }[] {
  const known = new Set(requirements.map(({ demand }) => demand.toLowerCase()));
  const last = Math.max(0, ...requirements.map(({ id }) => Number(id.slice(1))));
  return amendments.requirements
    .filter(({ found }) => !known.has(found.demand.toLowerCase()))
    .map(({ found, owner }, index) => ({
      requirement: { id: `R${last + index + 1}`, ...found },
      owner,
    }));
}

/** Everything that can be retired: paths, keys and names of cards, as they were or as they were added. */
function knownNames(
  { files, configuration, methodCards }: Blueprint,
  amendments: BlueprintAmendments,
): Set<string> {
  return new Set([
    ...[...files, ...amendments.files].map(({ path }) => path),
    ...[...configuration, ...amendments.configuration].map(({ key }) => key),
    ...[...methodCards, ...amendments.methodCards].map(({ name }) => name),
  ]);
}

function amendedFiles(
  files: readonly BlueprintFile[],
  { files: amended, retired, owners }: BlueprintAmendments,
  refused: string[],
): BlueprintFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const change of amended) byPath.set(change.path, wholeFile(change, byPath.get(change.path)));
  for (const path of retired) byPath.delete(path);
  for (const { requirement, path } of owners) {
    const file = byPath.get(path);
    if (file) byPath.set(path, { ...file, owns: [...file.owns, requirement] });
    else refused.push(`${path}: is not planned, so it cannot own ${requirement}.`);
  }
  return [...byPath.values()];
}

/** A planned file with changes; without an old one, what the changes leave out is empty. */
export function wholeFile(
  { moreSignatures = '', moreInstructions = '', ...change }: AmendedFile,
  old?: BlueprintFile,
): BlueprintFile {
  const blank: BlueprintFile = {
    path: change.path,
    purpose: change.path,
    needs: [],
    owns: [],
    signatures: '',
    instructions: '',
    expectedLines: DEFAULT_LINES,
  };
  const whole = { ...blank, ...old, ...change };
  const joined = (lines: string, more: string): string =>
    [lines, more].filter((text) => text !== '').join('\n');
  return {
    ...whole,
    signatures: joined(whole.signatures, moreSignatures),
    instructions: joined(whole.instructions, moreInstructions),
  };
}

/** An experiment with changes; without an old one, what the changes leave out is empty. */
export function wholeExperiment(change: AmendedExperiment, old?: Experiment): Experiment {
  const blank = { title: change.id, question: '', axes: [], measures: [], command: '' };
  return { ...blank, ...old, ...change };
}

function amendedExperiments(
  experiments: readonly Experiment[],
  changes: readonly AmendedExperiment[],
): Experiment[] {
  const byId = new Map(experiments.map((experiment) => [experiment.id, experiment]));
  for (const change of changes) byId.set(change.id, wholeExperiment(change, byId.get(change.id)));
  return [...byId.values()];
}

function replaced<Item>(
  items: readonly Item[],
  changes: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  for (const change of changes) byKey.set(keyOf(change), change);
  return [...byKey.values()];
}
