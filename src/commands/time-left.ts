import type { Event } from '../domain/event.ts';
import type { StatusReport } from '../runs/status-report.ts';

/** What of a run tells how far it is. */
export interface Course {
  readonly status: Pick<
    StatusReport,
    'outcome' | 'files' | 'round' | 'phase' | 'state' | 'blueprint'
  >;
  /** All facts, oldest first. */
  readonly events: readonly Event[];
  readonly nowMs: number;
}

/** Fewer files say nothing about the others. */
const LEAST_FILES = 3;
/** Longer than any file takes: the run was interrupted, or waited for a person. */
const LONGEST_GAP_MS = 10 * 60_000;
/** Rounds differ, and repairs come on top. */
const BEST = 0.6;
const WORST = 1.8;
const MINUTE_MS = 60_000;

/** Files written and planned, also those of the round under way; both 0 before there is a plan. */
export function filesDone({ status, events }: Course): { done: number; all: number } {
  const { planned, written, broken } = status.files;
  const all = planned + written + broken;
  const fresh = new Set(
    events
      .filter(({ kind, round }) => kind === 'file-written' && round === status.round + 1)
      .map(({ subject }) => subject),
  );
  // Files written again are repairs, which the committed count has already.
  return { done: Math.min(all, written + Math.min(planned, fresh.size)), all };
}

/** What is left, from how long the files so far took: a range, or that it is not known; empty once the run has ended. */
export function timeLeft(course: Course): string {
  const { status } = course;
  if (status.outcome !== null || status.phase === 'report') return '';
  const { done, all } = filesDone(course);
  if (status.phase === 'approval') return 'unknown yet: the plan waits for you';
  if (all === 0 && status.blueprint === null) return 'unknown yet: there is no plan';
  if (all > 0 && done >= all) return 'the inspection, and repairs if it finds something';
  const times = writtenAt(course);
  if (times.length < LEAST_FILES + 1) return 'unknown yet: too few files are written';
  const spans = [...times.slice(1), course.nowMs].map((at, index) => at - (times[index] ?? at));
  const activeMs = spans.reduce((sum, span) => sum + Math.min(span, LONGEST_GAP_MS), 0);
  const likelyMs = (activeMs / (times.length - 1)) * (all - done);
  return describeRange(likelyMs * BEST, likelyMs * WORST);
}

/** When writing began, and when each file was first written. */
function writtenAt({ events }: Course): number[] {
  const plan = events.findLast(
    ({ kind, round }) =>
      round === 0 && (kind === 'blueprint-drafted' || kind === 'blueprint-amended'),
  );
  const seen = new Set<string>();
  const written = events.filter(({ kind, subject }) => {
    if (kind !== 'file-written' || seen.has(subject)) return false;
    seen.add(subject);
    return true;
  });
  const start = plan ?? events[0];
  return [...(start ? [start] : []), ...written].map(({ at }) => Date.parse(at));
}

function describeRange(lowMs: number, highMs: number): string {
  if (highMs < 2 * MINUTE_MS) return 'less than 2 min, and the inspection';
  const isLong = lowMs > 90 * MINUTE_MS;
  const unitMs = isLong ? 60 * MINUTE_MS : MINUTE_MS;
  const low = Math.max(1, Math.floor(lowMs / unitMs));
  const high = Math.max(low + 1, Math.ceil(highMs / unitMs));
  return `about ${low}–${high} ${isLong ? 'h' : 'min'}, and the inspection`;
}
