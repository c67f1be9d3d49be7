import { firstNames, firstSentences } from '../domain/first-sentences.ts';
import { lineDiff } from '../domain/line-diff.ts';
import { progressOf } from '../domain/progress.ts';
import type { Ref } from '../domain/ref.ts';
import { Subplan } from '../domain/round.ts';
import { changesBetween } from '../domain/round-changes.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Attempt, PastRound } from '../domain/subplan-context.ts';
import { openFindings } from '../domain/target-standing.ts';
import { keptJson, keptText } from '../store/kept-reader.ts';
import type { Deps } from './deps.ts';
import { loadState } from './load.ts';

const readSubplan = keptJson(Subplan);
const readText = keptText();

/** Rounds that the planner is told of. */
const TOLD_ROUNDS = 3;
/** Of one finding's file; earlier ones have been learned from, or not. */
const TOLD_ATTEMPTS = 2;
const MOST_CHARACTERS = 5_000;
const MOST_NAMES = 12;
const MOST_SENTENCES = 6;

/** A state right after a round, and the one that the round began from. */
interface Step {
  readonly before: RunState;
  readonly after: RunState;
}

/** What the last rounds came to, the oldest first. */
export async function lastRoundsOf(deps: Deps, state: RunState): Promise<PastRound[]> {
  const steps = await stepsSince(deps, state, Math.max(1, state.round - TOLD_ROUNDS + 1));
  return Promise.all(steps.map((step) => pastRound(deps, step)));
}

/** The last tries at the files whose open findings were tried on, as what each changed. */
export async function attemptsOn(deps: Deps, state: RunState): Promise<Attempt[]> {
  const tried = new Map<string, Set<number>>();
  for (const { path, triedInRounds } of openFindings(state))
    for (const round of triedInRounds.slice(-TOLD_ATTEMPTS))
      tried.set(path, (tried.get(path) ?? new Set()).add(round));
  const first = Math.min(...[...tried.values()].flatMap((rounds) => [...rounds]));
  if (!Number.isFinite(first)) return [];
  const steps = await stepsSince(deps, state, first);
  const attempts = [...tried].flatMap(([path, rounds]) =>
    steps.filter(({ after }) => rounds.has(after.round)).map((step) => attemptOf(deps, path, step)),
  );
  return (await Promise.all(attempts)).flatMap((attempt) => attempt ?? []);
}

/** Commits since the round's own, such as the gate's looks: a round that is planned again is another question. */
export async function looksSince(deps: Deps, state: RunState): Promise<number> {
  let looks = 0;
  for (let at = state; at.previous; looks += 1) {
    const before = await loadState(deps, at.previous);
    if (before.round !== state.round) break;
    at = before;
  }
  return looks;
}

/** The rounds from `first` on, the oldest first. */
async function stepsSince(deps: Deps, state: RunState, first: number): Promise<Step[]> {
  const steps: Step[] = [];
  let after = state;
  while (after.previous && after.round >= first) {
    const before = await loadState(deps, after.previous);
    if (before.round < after.round) steps.push({ before, after });
    after = before;
  }
  return steps.reverse();
}

async function pastRound(deps: Deps, { before, after }: Step): Promise<PastRound> {
  const { files, opened, closed } = changesBetween(before, after, new Set());
  const named = (what: (typeof files)[number]['what']) =>
    files.filter((file) => file.what === what).map(({ path }) => path);
  const failed = files
    .filter(({ what }) => what === 'refused' || what === 'rolled-back')
    .map(({ path }) => failure(path, { before, after }));
  const guidance = after.subplan && (await readSubplan(deps.store, after.subplan)).guidance;
  return {
    round: after.round,
    sentences: [
      list('Written', named('written')),
      list('Repaired', named('repaired')),
      ...failed,
      list(
        'Findings opened',
        opened.map(({ path, kind }) => `${kind} in ${path}`),
      ),
      list(
        'Findings closed',
        closed.map(({ path, kind }) => `${kind} in ${path}`),
      ),
      ...firstSentences(guidance?.amendments ?? [], MOST_SENTENCES),
      ...firstSentences(guidance?.corrections ?? [], MOST_SENTENCES),
    ].filter((sentence) => sentence !== ''),
  };
}

function failure(path: string, { after }: Step): string {
  const { lastReasons, refusals } = progressOf(after, path);
  const why = [...new Set([...refusals, ...lastReasons])].join(' ');
  const what =
    after.tree[path] === undefined
      ? 'refused, so that it is not there'
      : 'refused or undone, so that its old content stays';
  return `${path} was ${what}: ${why}`;
}

function list(title: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${title}: ${firstNames([...new Set(names)], MOST_NAMES)}.`;
}

async function attemptOf(
  { store }: Deps,
  path: string,
  { before, after }: Step,
): Promise<Attempt | undefined> {
  const progress = progressOf(after, path);
  const isKept = progress.revision > progressOf(before, path).revision;
  const content: Ref | null | undefined = isKept ? after.tree[path] : progress.lastAttempt;
  if (!content) return undefined;
  const old = before.tree[path];
  const now = await readText(store, content);
  const diff = old && lineDiff(await readText(store, old), now);
  return {
    path,
    round: after.round,
    change: shortened(diff ?? now),
    reasons: isKept ? [] : progress.lastReasons,
    isKept,
  };
}

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}\n…`;
}
