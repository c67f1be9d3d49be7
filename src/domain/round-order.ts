import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { exemplarOf } from './family.ts';
import { needsOf, orderByNeeds, type Ordered } from './order.ts';

/** What decides which target of a round waits for which. */
export interface OrderFacts {
  readonly blueprint: Blueprint;
  /** Local files that each written file really imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly isNew: (path: string) => boolean;
}

/** A target as the planner ordered it, with what it asked to follow. */
export interface Placed {
  readonly file: BlueprintFile;
  readonly after: readonly string[];
}

/**
 * The targets in an order that respects what they need, by the plan and by their real imports, and for each those
 * before it that it waits for: its needs within the round, the exemplar of its family, the file with which it shares a
 * contract that nobody has written yet, and what the planner said. The planner's own order stays where it can.
 */
export function orderTargets(placed: readonly Placed[], facts: OrderFacts): Ordered[] {
  const paths = placed.map(({ file }) => file.path);
  const direct = placed.map(({ file, after }, index): Ordered => {
    const earlier = placed.slice(0, index).map((each) => each.file);
    const needs = [
      ...file.needs,
      ...(facts.imports.get(file.path) ?? []),
      ...after,
      ...leaderOf(file, placed, facts),
      ...sharers(file, earlier, facts),
    ];
    return {
      path: file.path,
      needs: [...new Set(needs)].filter((need) => need !== file.path && paths.includes(need)),
    };
  });
  const ordered = orderByNeeds(direct);
  const byPath = new Map(ordered.map((each) => [each.path, each]));
  const placedBefore: string[] = [];
  return ordered.map(({ path }) => {
    const all = needsOf(path, byPath);
    const needs = placedBefore.filter((need) => all.has(need));
    placedBefore.push(path);
    return { path, needs };
  });
}

/** The new file of its family that comes first: the exemplar where it is a target, else the first sibling. */
function leaderOf(
  file: BlueprintFile,
  placed: readonly Placed[],
  { blueprint, isNew }: OrderFacts,
): string[] {
  if (!isNew(file.path)) return [];
  const exemplar = exemplarOf(file, blueprint.files);
  if (exemplar === null || !isNew(exemplar)) return [];
  const targets = placed.map((each) => each.file).filter(({ path }) => isNew(path));
  const leader =
    targets.find(({ path }) => path === exemplar) ??
    targets.find((each) => exemplarOf(each, blueprint.files) === exemplar);
  return leader && leader !== file ? [leader.path] : [];
}

/** Earlier new targets that read or write the same result file as this one: its form is not agreed yet. */
function sharers(
  file: BlueprintFile,
  earlier: readonly BlueprintFile[],
  { blueprint, isNew }: OrderFacts,
): string[] {
  if (!isNew(file.path)) return [];
  const results = blueprint.experiments
    .flatMap(({ measures }) => measures.map((measure) => measure.file))
    .filter((result) => result !== '' && wordsOf(file).includes(result));
  return earlier
    .filter((other) => isNew(other.path))
    .filter((other) => results.some((result) => wordsOf(other).includes(result)))
    .map(({ path }) => path);
}

function wordsOf({ purpose, signatures, instructions }: BlueprintFile): string {
  return `${purpose}\n${signatures}\n${instructions}`;
}
