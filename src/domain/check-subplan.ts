import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { chooseTargets, MOST_BYTES } from './choose-targets.ts';
import { firstNames } from './first-sentences.ts';
import { bytesOf } from './path.ts';
import { openBlocking, statusOf } from './progress.ts';
import type { Target } from './round.ts';
import { orderTargets } from './round-order.ts';
import { isTooMuch, workOf, type Work } from './round-work.ts';
import type { Limits } from './run-settings.ts';
import type { RunState } from './run-state.ts';
import type { NamedTarget } from './subplan-answer.ts';
import { isUnusable, openFindings, repairsLeftOf } from './target-standing.ts';

/** What a subplan is checked against: S_t under the blueprint of this round, and the code as it is. */
export interface SubplanFacts {
  readonly state: RunState;
  readonly blueprint: Blueprint;
  readonly limits: Limits;
  /** Local files that each written file really imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

/** Targets that can be worked on, in order, and what of the answer could not stand, a sentence each. */
export interface CheckedTargets {
  readonly targets: readonly Target[];
  readonly corrections: readonly string[];
}

const MOST_NAMED = 8;

/**
 * G_t and π as they can stand: planned files whose needs are written or come first, written files with repairs left
 * and something open or a reason, each behind what it needs, within the work of one round; root causes before what
 * follows from them. Where nothing is left of it and work remains, the computed choice. Pure.
 */
export function checkTargets(named: readonly NamedTarget[], facts: SubplanFacts): CheckedTargets {
  const corrections: string[] = [];
  const note = (sentence: string): void => {
    corrections.push(sentence);
  };
  const usable = usableTargets(named, facts, note);
  const rooted = rootsFirst(usable, facts, note);
  const ready = readyTargets(rooted, facts, note);
  const targets = withinWork(ordered(ready, facts, note), facts, note);
  if (targets.length > 0) return { targets, corrections };
  const computed = computedTargets(facts);
  if (computed.length > 0)
    note(
      'No target was named that can be worked on, while work remains: the computed choice was taken.',
    );
  return { targets: computed, corrections };
}

type Note = (sentence: string) => void;

/** A target whose path is a planned file. */
interface Usable {
  readonly file: BlueprintFile;
  readonly after: readonly string[];
}

function usableTargets(named: readonly NamedTarget[], facts: SubplanFacts, note: Note): Usable[] {
  const taken = new Set<string>();
  return named.flatMap((target) => {
    const file = facts.blueprint.files.find(({ path }) => path === target.path);
    const why = file ? whyNot(file, target, facts) : 'is not planned, so it cannot be a target';
    if (why !== undefined) note(`${target.path.slice(0, 120)}: ${why}.`);
    else if (taken.has(target.path)) note(`${target.path}: was named twice; the first stays.`);
    if (!file || why !== undefined || taken.has(target.path)) return [];
    taken.add(target.path);
    return [{ file, after: target.after }];
  });
}

/** Why a planned file cannot be worked on now; part of a sentence. */
function whyNot(
  { path }: BlueprintFile,
  { reason, instructions }: NamedTarget,
  { state, limits }: SubplanFacts,
): string | undefined {
  const status = statusOf(state, path, limits);
  if (status === 'planned') return undefined;
  if (status === 'broken' || repairsLeftOf(state, path, limits) === 0)
    return 'its repairs are used up, so that the cause has to be mended elsewhere';
  const isAsked = `${reason}${instructions}`.trim() !== '';
  if (openFindings(state, path).length > 0 || isAsked) return undefined;
  return 'is written, nothing is open there, and no reason was given to change it';
}

/** A repair whose imports cannot be used at all waits: what is found there may follow from them. */
function rootsFirst(targets: readonly Usable[], facts: SubplanFacts, note: Note): Usable[] {
  const { blueprint } = facts;
  const kept = new Map<string, Usable>();
  for (const target of targets) {
    const { path } = target.file;
    const roots = rootsOf(path, facts);
    if (roots.length === 0) {
      kept.set(path, target);
      continue;
    }
    note(`${path}: what is found there may follow from ${roots.join(', ')}, to be repaired first.`);
    for (const file of blueprint.files)
      if (roots.includes(file.path) && !kept.has(file.path))
        kept.set(file.path, targets.find((each) => each.file === file) ?? { file, after: [] });
  }
  return [...kept.values()];
}

/** Files that a file to be repaired imports, which cannot be used as they are and can be repaired. */
function rootsOf(path: string, { state, limits, imports }: SubplanFacts): string[] {
  if (state.tree[path] === undefined || openBlocking(state, path).length === 0) return [];
  if (isUnusable(state, path)) return [];
  return (imports.get(path) ?? []).filter(
    (root) => isUnusable(state, root) && repairsLeftOf(state, root, limits) > 0,
  );
}

/** A planned file whose needs are neither written nor targets is left for later. */
function readyTargets(targets: readonly Usable[], facts: SubplanFacts, note: Note): Usable[] {
  const { state, blueprint, limits } = facts;
  const planned = new Set(
    blueprint.files
      .map(({ path }) => path)
      .filter((path) => statusOf(state, path, limits) === 'planned'),
  );
  let kept = [...targets];
  for (;;) {
    const paths = new Set(kept.map(({ file }) => file.path));
    const missing = ({ file }: Usable) =>
      planned.has(file.path)
        ? file.needs.filter((need) => planned.has(need) && !paths.has(need))
        : [];
    const early = kept.find((target) => missing(target).length > 0);
    if (!early) return kept;
    note(
      `${early.file.path}: needs ${missing(early).join(', ')}, which is neither written nor a target; left for later.`,
    );
    kept = kept.filter((each) => each !== early);
  }
}

function ordered(targets: readonly Usable[], facts: SubplanFacts, note: Note): Target[] {
  const { state, blueprint, imports } = facts;
  const isNew = (path: string): boolean => state.tree[path] === undefined;
  const order = orderTargets(targets, { blueprint, imports, isNew });
  const before = targets.map(({ file }) => file.path);
  const moved = order.find(({ path }, index) => path !== before[index]);
  if (moved)
    note(`The order was changed from ${moved.path} on, so that each file follows those it needs.`);
  return order.map(({ path, needs }) => ({ path, needs: [...needs] }));
}

/** The first targets that make up a round's work; always at least one, and none without those it waits for. */
function withinWork(targets: readonly Target[], facts: SubplanFacts, note: Note): Target[] {
  const { state, blueprint, limits } = facts;
  const kept: Target[] = [];
  const left: string[] = [];
  let work: Work = { lines: 0, owned: 0 };
  let bytes = 0;
  for (const target of targets) {
    const file = blueprint.files.find(({ path }) => path === target.path);
    const own = file ? workOf(file, state.tree[target.path] !== undefined) : work;
    const sum = { lines: work.lines + own.lines, owned: work.owned + own.owned };
    const isFirst = kept.length === 0;
    const isFree = own.lines === 0 && own.owned === 0;
    const isFull =
      kept.length >= limits.maxTargets ||
      bytes + bytesOf(target.path) > MOST_BYTES ||
      (isTooMuch(sum) && !isFree);
    if ((isFull && !isFirst) || target.needs.some((need) => left.includes(need))) {
      left.push(target.path);
      continue;
    }
    kept.push(target);
    work = sum;
    bytes += bytesOf(target.path);
  }
  if (left.length > 0)
    note(`More than one round's work was named; left for later: ${firstNames(left, MOST_NAMED)}.`);
  return kept;
}

/** Fast mode's choice, root causes first. */
function computedTargets(facts: SubplanFacts): Target[] {
  const { state, blueprint, limits } = facts;
  const chosen = chooseTargets(state, blueprint, limits);
  const rooted = chosen.filter(({ path }) => rootsOf(path, facts).length === 0);
  return rooted.length > 0 ? rooted : chosen;
}
