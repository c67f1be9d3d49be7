import { boundBlueprint, firstFew, type Note } from './bound-blueprint.ts';
import { Blueprint, type BlueprintFile } from './blueprint.ts';
import type { CheckedBlueprint } from './blueprint-draft.ts';
import { NoBlueprint } from './errors.ts';
import { addEssentialFiles } from './essential-files.ts';
import type { Experiment } from './experiment.ts';
import { firstSentences } from './first-sentences.ts';
import { rowsById } from './fold-restatements.ts';
import { orderByNeeds } from './order.ts';
import { clashingPaths, foldedPath, pathProblem } from './path.ts';

/** A full paper needs 20 to 40. Far beyond, a plan is an accident, and each file costs a call. */
const MOST_FILES = 150;
/** Corrections that are told; a plan that needs more is told to be such. */
export const MOST_CORRECTIONS = 100;
const MOST_NAMES = 10;

/**
 * Repairs what code can repair in a planned blueprint, whoever planned it: a model, or a person who edited it.
 * Files with unusable or repeated paths go, essential files are added, references to what does not exist are dropped,
 * cycles are broken in file order, and files are put in an order of writing. A sound blueprint comes back unchanged.
 * Throws `NoBlueprint` when no usable file is left.
 */
export function repairBlueprint(planned: Blueprint): CheckedBlueprint {
  const corrections: string[] = [];
  const note: Note = (sentence) => corrections.push(sentence);
  const draft = boundBlueprint(planned, note);
  const usable = withUsablePaths(draft.files, note);
  if (usable.length === 0) {
    throw new NoBlueprint(
      `The plan names no file that can be written (${draft.files.length} named). Try again with another planner model.`,
    );
  }
  const experiments = withOwnIds(draft.experiments, note);
  const files = addEssentialFiles(usable, experiments, note);
  const rows = rowsById(draft.requirements);
  const linked = files.map((file) => withKnownReferences(file, files, rows, note));
  const blueprint = Blueprint.parse({
    ...draft,
    files: inOrder(linked, note),
    experiments,
    configuration: withOwnKeys(draft, rows, note),
    methodCards: firstOfEach(draft.methodCards, ({ name }) => name.toLowerCase()),
  });
  return { blueprint, corrections: firstSentences([...new Set(corrections)], MOST_CORRECTIONS) };
}

function withUsablePaths(files: readonly BlueprintFile[], note: Note): BlueprintFile[] {
  const kept = new Map<string, { readonly file: BlueprintFile; readonly owns: Set<string> }>();
  for (const file of files) {
    const problem = pathProblem(file.path);
    const twin = kept.get(foldedPath(file.path));
    if (problem) note(`${file.path.slice(0, 80)}: the path ${problem}; the file was dropped.`);
    else if (twin) {
      note(`${file.path}: planned twice; the first plan stays and owns what both owned.`);
      for (const id of file.owns) twin.owns.add(id);
    } else kept.set(foldedPath(file.path), { file, owns: new Set(file.owns) });
  }
  const usable = [...kept.values()].map(({ file, owns }) => ({ ...file, owns: [...owns] }));
  return withoutClashes(firstFew(usable, { most: MOST_FILES, what: 'files', note }), note);
}

/** A path that is both a file and a folder of another file: the file goes, as it holds nothing that a folder needs. */
function withoutClashes(files: readonly BlueprintFile[], note: Note): BlueprintFile[] {
  const clash = clashingPaths(files.map(({ path }) => path));
  if (!clash) return [...files];
  const [folder, path] = clash;
  note(`${folder}: is planned as a file, but ${path} needs it as a folder; the file was dropped.`);
  return withoutClashes(
    files.filter((file) => file.path !== folder),
    note,
  );
}

function withKnownReferences(
  file: BlueprintFile,
  files: readonly BlueprintFile[],
  rows: ReadonlyMap<string, string>,
  note: Note,
): BlueprintFile {
  const byFolded = new Map(files.map(({ path }) => [foldedPath(path), path]));
  const needs = new Set<string>();
  for (const need of file.needs) {
    const path = byFolded.get(foldedPath(need));
    if (path === undefined) note(`${file.path}: needs ${need}, which is not planned; dropped.`);
    else if (path !== file.path) needs.add(path);
  }
  const unknown = [...new Set(file.owns)].filter((id) => !rows.has(id));
  if (unknown.length > 0)
    note(`${file.path}: owns ${named(unknown)}, which no requirement has; dropped.`);
  return { ...file, needs: [...needs], owns: rowsOf(file.owns, rows) };
}

/** Each row that the ids stand for, once. */
function rowsOf(ids: readonly string[], rows: ReadonlyMap<string, string>): string[] {
  return [...new Set(ids.flatMap((id) => rows.get(id) ?? []))];
}

/** An order of writing. In a cycle, the file that comes first loses its needs of files that come later. */
function inOrder(files: readonly BlueprintFile[], note: Note): BlueprintFile[] {
  const placed = new Set<string>();
  return orderByNeeds(files).map((file) => {
    const early = file.needs.filter((need) => !placed.has(need));
    placed.add(file.path);
    if (early.length === 0) return file;
    note(`${file.path}: is in a cycle with ${named(early)}; it is written first, without them.`);
    return { ...file, needs: file.needs.filter((need) => !early.includes(need)) };
  });
}

function named(names: readonly string[]): string {
  return firstSentences(names, MOST_NAMES).join(', ');
}

function withOwnIds(experiments: readonly Experiment[], note: Note): Experiment[] {
  const taken = new Set<string>();
  return experiments.map((experiment) => {
    const axes = firstOfEach(experiment.axes, ({ name }) => name).map(({ name, values }) => ({
      name,
      values: [...new Set(values)],
    }));
    let number = experiments.length;
    let id = experiment.id;
    while (taken.has(id)) id = `E${(number += 1)}`;
    if (id !== experiment.id)
      note(`${experiment.id}: two experiments had this id; one is now ${id}.`);
    taken.add(id);
    return { ...experiment, id, axes };
  });
}

function withOwnKeys(
  { configuration }: Blueprint,
  rows: ReadonlyMap<string, string>,
  note: Note,
): Blueprint['configuration'] {
  const first = new Map<string, Blueprint['configuration'][number]>();
  for (const each of configuration) {
    const { value } = first.get(each.key) ?? each;
    if (value !== each.value)
      note(`${each.key}: set to ${value} and to ${each.value}; the first stays.`);
    else if (!first.has(each.key)) first.set(each.key, each);
  }
  return [...first.values()].map((each) => {
    const known = rowsOf(each.requirements, rows);
    const unknown = each.requirements.filter((id) => !rows.has(id));
    if (unknown.length === 0) return { ...each, requirements: known };
    const sequel = known.length === 0 ? '; now inferred' : '; dropped';
    note(`${each.key}: refers to ${named(unknown)}, which no requirement has${sequel}.`);
    return { ...each, requirements: known, deviates: each.deviates && known.length > 0 };
  });
}

function firstOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const kept = new Map<string, Item>();
  for (const item of items) if (!kept.has(keyOf(item))) kept.set(keyOf(item), item);
  return [...kept.values()];
}
