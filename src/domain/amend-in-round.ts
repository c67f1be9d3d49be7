import { amendBlueprint } from './amend-blueprint.ts';
import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { unownedRequirements } from './blueprint-audit.ts';
import type { AmendedFile, CheckedBlueprint } from './blueprint-draft.ts';
import { NoBlueprint } from './errors.ts';
import { isSettings } from './essential-files.ts';
import { firstSentences } from './first-sentences.ts';
import { DEFAULT_MAX_FILES, type Limits } from './run-settings.ts';
import type { SubplanAnswer } from './subplan-answer.ts';
import type { Tree } from './tree.ts';

/** What bounds the amendments of one round. */
export interface AmendmentFacts {
  readonly limits: Pick<Limits, 'maxFiles'>;
  readonly tree: Tree;
  /** Local files that each written file really imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly targets: readonly string[];
}

/** The blueprint of the round; the same object where nothing changed. Amendments and corrections as sentences. */
export interface AmendedInRound {
  readonly blueprint: Blueprint;
  readonly amendments: readonly string[];
  readonly corrections: readonly string[];
}

const MOST_SENTENCES = 60;
/** Every repository has them, and a plan without them gets them back. */
const ESSENTIAL = /^(?:requirements\.txt|reproduce\.sh|readme\.md)$/i;

/**
 * The blueprint as a subplan changes it: files added within the bound, retired where nothing that is written and stays
 * as it is imports them, given other interfaces or owners. What it cannot change stays as it was. Pure.
 */
export function amendInRound(
  before: Blueprint,
  answer: Pick<SubplanAnswer, 'changes' | 'reasons'>,
  facts: AmendmentFacts,
): AmendedInRound {
  const corrections: string[] = [];
  const note = (sentence: string): void => {
    corrections.push(sentence);
  };
  const { changes, reasons } = answer;
  const retired = changes.retired.filter((name) =>
    mayRetire(name, before, changes.retired, facts, note),
  );
  const files = withinBound(before, changes.files, retired, facts, note);
  const checked = amended(before, { ...changes, retired, files }, note);
  if (!checked) return { blueprint: before, amendments: [], corrections };
  const amendments = describe(before, checked.blueprint, reasons);
  for (const id of newGaps(before, checked.blueprint))
    note(`${id} lost its owner, so that nothing meets it now: a gap.`);
  return {
    blueprint: amendments.length === 0 ? before : checked.blueprint,
    amendments: firstSentences(amendments, MOST_SENTENCES),
    corrections: firstSentences([...corrections, ...checked.corrections], MOST_SENTENCES),
  };
}

function amended(
  before: Blueprint,
  changes: SubplanAnswer['changes'],
  note: (sentence: string) => void,
): CheckedBlueprint | undefined {
  try {
    return amendBlueprint(before, changes);
  } catch (error) {
    if (!(error instanceof NoBlueprint)) throw error;
    note(`The plan was not amended: ${error.message}`);
    return undefined;
  }
}

/** Whether a name may go: a value or card always; a file unless all repositories have it or written code needs it. */
function mayRetire(
  name: string,
  { files }: Blueprint,
  retired: readonly string[],
  { tree, imports, targets }: AmendmentFacts,
  note: (sentence: string) => void,
): boolean {
  if (!files.some(({ path }) => path === name)) return true;
  const isOnlySettings =
    isSettings(name) &&
    !files.some(({ path }) => isSettings(path) && path !== name && !retired.includes(path));
  if (ESSENTIAL.test(name) || isOnlySettings) {
    note(`${name}: every repository has it, so it stays.`);
    return false;
  }
  const users = Object.keys(tree).filter(
    (path) =>
      !retired.includes(path) && !targets.includes(path) && imports.get(path)?.includes(name),
  );
  if (users.length === 0) return true;
  note(`${name}: ${users.join(', ')} imports it and is no target of this round, so it stays.`);
  return false;
}

/** Changes of files that are there, and as many new ones as the bound allows. */
function withinBound(
  before: Blueprint,
  changes: readonly AmendedFile[],
  retired: readonly string[],
  { limits }: AmendmentFacts,
  note: (sentence: string) => void,
): AmendedFile[] {
  const known = new Set(before.files.map(({ path }) => path));
  const most = limits.maxFiles ?? DEFAULT_MAX_FILES;
  const gone = before.files.filter(({ path }) => retired.includes(path)).length;
  const room = Math.max(0, most - (before.files.length - gone));
  const fresh = [...new Set(changes.map(({ path }) => path).filter((path) => !known.has(path)))];
  const refused = fresh.slice(room);
  for (const path of refused)
    note(`${path}: the plan may have ${most} files at most, so it was not added.`);
  return changes.filter(({ path }) => !refused.includes(path));
}

function newGaps(before: Blueprint, after: Blueprint): string[] {
  const already = new Set(unownedRequirements(before));
  return unownedRequirements(after).filter((id) => !already.has(id));
}

/** What changed, read off the two plans rather than off the answer, with the reason where one was given. */
function describe(
  before: Blueprint,
  after: Blueprint,
  reasons: ReadonlyMap<string, string>,
): string[] {
  const because = (name: string): string => {
    const reason = (reasons.get(name) ?? '').trim().replace(/\s+/g, ' ');
    return reason === '' ? ' (no reason was given).' : `: ${reason.replace(/\.?$/, '.')}`;
  };
  const was = new Map(before.files.map((file) => [file.path, file]));
  const is = new Map(after.files.map((file) => [file.path, file]));
  const files = after.files.flatMap((file) => {
    const old = was.get(file.path);
    if (!old) return [`Added ${file.path}${because(file.path)}`];
    const fields = changedFields(old, file);
    if (fields.length === 0) return [];
    return [`Changed ${fields.join(', ')} of ${file.path}${because(file.path)}`];
  });
  const gone = before.files
    .filter(({ path }) => !is.has(path))
    .map(({ path }) => `Retired ${path}${because(path)}`);
  return [
    ...files,
    ...gone,
    ...namedChanges(before, after, because),
    ...otherChanges(before, after),
  ];
}

/** Values, experiments, method cards and requirements that were added, changed or retired, each by its name. */
function namedChanges(
  before: Blueprint,
  after: Blueprint,
  because: (name: string) => string,
): string[] {
  const named = (blueprint: Blueprint): Map<string, readonly [string, string]> =>
    new Map<string, readonly [string, string]>([
      ...blueprint.configuration.map((one) => entry(`the value ${one.key}`, one.key, one)),
      ...blueprint.experiments.map((one) => entry(`the experiment ${one.id}`, one.id, one)),
      ...blueprint.methodCards.map((one) => entry(`the method card ${one.name}`, one.name, one)),
      ...blueprint.requirements.map((one) => entry(`the requirement ${one.id}`, one.id, one)),
    ]);
  const [was, is] = [named(before), named(after)];
  const put = [...is].flatMap(([what, [name, text]]) => {
    const old = was.get(what)?.[1];
    return old === text
      ? []
      : [`${old === undefined ? 'Added' : 'Changed'} ${what}${because(name)}`];
  });
  const gone = [...was]
    .filter(([what]) => !is.has(what))
    .map(([what, [name]]) => `Retired ${what}${because(name)}`);
  return [...put, ...gone];
}

/** A part by what it is called; reasons are kept by the last word of a name. */
function entry(what: string, name: string, part: unknown): [string, readonly [string, string]] {
  return [what, [name.split(/\s+/).at(-1) ?? name, JSON.stringify(part)]];
}

function changedFields(old: BlueprintFile, now: BlueprintFile): string[] {
  const fields = [
    'purpose',
    'needs',
    'owns',
    'signatures',
    'instructions',
    'expectedLines',
  ] as const;
  return fields.filter((field) => JSON.stringify(old[field]) !== JSON.stringify(now[field]));
}

function otherChanges(before: Blueprint, after: Blueprint): string[] {
  const parts = {
    environment: 'the environment',
    dataFlow: 'the data flow',
    validation: 'the validation',
    summary: 'the summary',
  } as const;
  return Object.entries(parts).flatMap(([part, name]) => {
    const [was, is] = [valueOf(before, part), valueOf(after, part)];
    return was === is ? [] : [`Changed ${name}.`];
  });
}

function valueOf(blueprint: Blueprint, part: string): string {
  return JSON.stringify(Object.entries(blueprint).find(([name]) => name === part)?.[1]);
}
