import { isBlocking, type Finding } from './finding.ts';
import { progressOf } from './progress.ts';
import type { RunState } from './run-state.ts';

/** What became of a file in a round. `rolled-back` and `refused` both left it as it was; only `refused` wrote nothing usable. */
export interface FileChange {
  readonly path: string;
  readonly what: 'written' | 'repaired' | 'rolled-back' | 'refused';
  /** Why all its writes were refused; empty otherwise. */
  readonly reasons: readonly string[];
  /** Repairs that it has used up by then. */
  readonly repairs: number;
}

/** What one commit changed, read from the states before and after it. */
export interface RoundChanges {
  readonly files: readonly FileChange[];
  readonly opened: readonly Finding[];
  readonly closed: readonly Finding[];
  /** Files whose notes were folded in. */
  readonly noted: readonly string[];
}

/** The difference of two states that follow each other. `accepted` are files that had an acceptable write in between. */
export function changesBetween(
  before: RunState,
  after: RunState,
  accepted: ReadonlySet<string>,
): RoundChanges {
  const isOpen = ({ resolvedInRound }: Finding) => resolvedInRound === null;
  const openBefore = new Set(before.findings.filter(isOpen).map(({ id }) => id));
  const openAfter = new Set(after.findings.filter(isOpen).map(({ id }) => id));
  return {
    files: Object.keys(after.progress).flatMap((path) =>
      changeOf(path, before, after, accepted.has(path)),
    ),
    opened: after.findings.filter(({ id }) => openAfter.has(id) && !openBefore.has(id)),
    closed: after.findings.filter(({ id }) => openBefore.has(id) && !openAfter.has(id)),
    noted: Object.entries(after.memory)
      .filter(([path, { notes }]) => notes.kind === 'noted' && isPending(before, path))
      .map(([path]) => path),
  };
}

/** How many findings are open, and how many of them block `complete`. */
export function countOpen({ findings }: RunState): { all: number; blocking: number } {
  const open = findings.filter(({ resolvedInRound }) => resolvedInRound === null);
  return { all: open.length, blocking: open.filter(isBlocking).length };
}

function changeOf(
  path: string,
  before: RunState,
  after: RunState,
  isAccepted: boolean,
): FileChange[] {
  const [was, is] = [progressOf(before, path), progressOf(after, path)];
  const { repairs } = is;
  if (is.revision > was.revision) {
    const what = before.tree[path] === undefined ? 'written' : 'repaired';
    return [{ path, what, reasons: [], repairs }];
  }
  if (repairs <= was.repairs) return [];
  const what = isAccepted ? 'rolled-back' : 'refused';
  return [{ path, what, reasons: is.refusals, repairs }];
}

function isPending(before: RunState, path: string): boolean {
  const notes = before.memory[path]?.notes;
  return notes === undefined || notes.kind === 'pending';
}
