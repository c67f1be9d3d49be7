import type { Blueprint } from './blueprint.ts';
import { isBlocking, type Finding, type FindingKind } from './finding.ts';
import { openBlocking, openRepairable, progressOf, repairKindsOf, statusOf } from './progress.ts';
import { repairsLeft, type RepairBounds } from './repairs.ts';
import type { RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/** Findings that make a file unusable for whoever imports it: what is wrong there may follow from them. */
const ROOTS: readonly FindingKind[] = ['missing', 'empty', 'cut-off', 'does-not-parse'];

/** All open findings of a file, warnings too. */
export function openFindings(state: Pick<RunState, 'findings'>, path?: string): Finding[] {
  return state.findings.filter(
    (finding) => finding.resolvedInRound === null && (path === undefined || finding.path === path),
  );
}

/** How often a written file may still be changed: each try counts as a repair, with or without a finding. */
export function repairsLeftOf(
  state: Pick<RunState, 'progress' | 'findings'>,
  path: string,
  bounds: RepairBounds,
): number {
  const progress = progressOf(state, path);
  return Math.max(...repairKindsOf(state, path).map((kind) => repairsLeft(progress, kind, bounds)));
}

/** Whether a file cannot be used at all as it is, so that it is the cause of much that is found elsewhere. */
export function isUnusable(state: Pick<RunState, 'findings'>, path: string): boolean {
  return openBlocking(state, path).some(({ kind }) => ROOTS.includes(kind));
}

/**
 * Whether a model should plan the next round: something is planned, or open where a repair could help. What blocks in a
 * file whose own repairs are used up, and warnings that no subplan has seen as they are now, are worth it only while
 * rounds bring progress.
 */
export function isWorthPlanning(state: RunState, { files }: Blueprint, limits: Limits): boolean {
  if (state.round >= limits.maxRounds) return false;
  const isDue = files.some(({ path }) => {
    const status = statusOf(state, path, limits);
    return (
      status === 'planned' ||
      (status === 'written' && openRepairable(state, limits, path).length > 0)
    );
  });
  const isNews = (finding: Finding): boolean =>
    finding.awaits === undefined &&
    (isBlocking(finding) ||
      finding.openedInRound === state.round ||
      finding.triedInRounds.includes(state.round));
  return isDue || (state.stalledRounds < limits.stallRounds && openFindings(state).some(isNews));
}
