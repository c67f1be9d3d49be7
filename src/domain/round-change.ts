import type { Finding } from './finding.ts';
import { progressOf } from './progress.ts';
import type { RunState } from './run-state.ts';

/** What one round changed in the repository. Paths are sorted. */
export interface RoundChange {
  readonly round: number;
  /** Files that were not there before. */
  readonly written: readonly string[];
  /** Files whose content was replaced. */
  readonly repaired: readonly string[];
  readonly removed: readonly string[];
  /** Files that were tried and kept their old content, or none: refused, or rolled back as a change for the worse. */
  readonly notKept: readonly string[];
  readonly opened: readonly Finding[];
  readonly resolved: readonly Finding[];
}

/** What lies between two states, the later one being that after `round`. */
export function changeBetween(before: RunState, after: RunState): RoundChange {
  const paths = Object.keys(after.tree).sort();
  const wasOpen = openIds(before);
  const isOpen = openIds(after);
  return {
    round: after.round,
    written: paths.filter((path) => before.tree[path] === undefined),
    repaired: paths.filter((path) => {
      const was = before.tree[path];
      return was !== undefined && was.sha256 !== after.tree[path]?.sha256;
    }),
    removed: Object.keys(before.tree)
      .filter((path) => after.tree[path] === undefined)
      .sort(),
    notKept: Object.keys(after.progress)
      .filter((path) => {
        const tried = progressOf(after, path).repairs > progressOf(before, path).repairs;
        return tried && before.tree[path]?.sha256 === after.tree[path]?.sha256;
      })
      .sort(),
    opened: after.findings.filter(({ id }) => isOpen.has(id) && !wasOpen.has(id)),
    resolved: after.findings.filter(({ id }) => !isOpen.has(id) && wasOpen.has(id)),
  };
}

/** The change in a line: `3 files written, 1 repaired, 2 findings opened`. */
export function describeChange(change: RoundChange): string {
  const { written, repaired, removed, notKept, opened, resolved } = change;
  const parts = [
    ...(written.length > 0 ? [`${files(written.length)} written`] : []),
    ...(repaired.length > 0 ? [`${files(repaired.length)} repaired`] : []),
    ...(removed.length > 0 ? [`${files(removed.length)} removed`] : []),
    ...(notKept.length > 0 ? [`${files(notKept.length)} tried in vain`] : []),
    ...(opened.length > 0 ? [`${findings(opened.length)} opened`] : []),
    ...(resolved.length > 0 ? [`${findings(resolved.length)} resolved`] : []),
  ];
  return parts.join(', ') || 'nothing changed';
}

function openIds({ findings }: RunState): Set<string> {
  return new Set(
    findings.filter(({ resolvedInRound }) => resolvedInRound === null).map(({ id }) => id),
  );
}

function files(count: number): string {
  return `${count} ${count === 1 ? 'file' : 'files'}`;
}

function findings(count: number): string {
  return `${count} ${count === 1 ? 'finding' : 'findings'}`;
}
