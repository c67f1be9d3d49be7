import { formatAmount } from '../domain/budget.ts';
import { formatRange } from '../domain/estimate.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { cleanLine } from './text-width.ts';

/** `7 of 12 files written, 1 broken`. */
export function describeFiles({
  files,
  blueprint,
}: Pick<StatusReport, 'files' | 'blueprint'>): string {
  const all = files.planned + files.written + files.broken;
  // Counted only from the first round on, but they may be planned before.
  if (all === 0) return blueprint === null ? 'no file planned yet' : 'planned, none written yet';
  const broken = files.broken > 0 ? `, ${files.broken} broken` : '';
  return `${files.written} of ${all} ${all === 1 ? 'file' : 'files'} written${broken}`;
}

/** `no blocking finding open`. */
export function describeFindings({ openBlocking }: Pick<StatusReport, 'openBlocking'>): string {
  const { count } = openBlocking;
  if (count === 0) return 'no blocking finding open';
  return `${count} blocking ${count === 1 ? 'finding' : 'findings'} open`;
}

/**
 * `0.42 of 15.00 USD, 0.10 USD of it maybe paid`. The cap of a run that its batch has settled is what it has spent, and
 * tells nothing.
 */
export function describeSpend({
  account,
  batch = null,
  outcome = null,
}: {
  readonly account: Pick<StatusReport['account'], 'unit' | 'cap' | 'spent' | 'maybePaid'>;
} & Partial<Pick<StatusReport, 'batch' | 'outcome'>>): string {
  const { unit, cap, spent, maybePaid } = account;
  const amount = formatAmount(spent, unit);
  const isSettled = batch !== null && outcome !== null && cap !== null && cap <= spent + maybePaid;
  const capped =
    cap === null
      ? `${amount}, without a cap`
      : `${amount.replace(/ \w+$/, '')} of ${formatAmount(cap, unit)}`;
  const whole = isSettled ? amount : capped;
  return maybePaid > 0 ? `${whole}, ${formatAmount(maybePaid, unit)} of it maybe paid` : whole;
}

/** `3–6 USD, as it looks now`; empty where that is not known, or the run has ended. */
export function describeExpected({
  expected,
  outcome,
  account,
}: Pick<StatusReport, 'expected' | 'outcome' | 'account'>): string {
  if (outcome !== null || !expected || expected.high === 0) return '';
  return `${formatRange(expected, account.unit)}, as it looks now`;
}

/** `42 calls, 3 reused`. */
export function describeCalls({ account }: Pick<StatusReport, 'account'>): string {
  const reused = account.reused > 0 ? `, ${account.reused} reused` : '';
  return `${account.calls} ${account.calls === 1 ? 'call' : 'calls'}${reused}`;
}

/** What a run waits for and the remedy; once, where several steps wait for the same. */
export function describeWaits({ waits }: StatusReport): readonly string[] {
  return [...new Set(waits.map(({ message, remedy }) => cleanLine(`${message} ${remedy}`)))];
}

/** What the run is at, in a word or two: `round 2`, `waiting for approval`, `complete`. */
export function describeState(status: StatusReport): string {
  if (status.outcome !== null) return status.outcome;
  if (status.state === 'idle') return 'not driven';
  // A worker that did not answer in time leaves what the run last noted.
  const isNotedWait = status.engine.state === 'silent' && status.waits.length > 0;
  if (status.state === 'waiting' || isNotedWait)
    return `waiting (${status.waits[0]?.kind ?? 'a person'})`;
  if (status.stopping) return 'stopping after this round';
  if (status.paused) return 'pausing';
  switch (status.phase) {
    case 'planning':
      return 'planning';
    case 'approval':
      return 'waiting (approval)';
    case 'rounds':
      return isAllWritten(status) ? 'inspecting' : `round ${status.round + 1}`;
    case 'report':
    case 'ended':
      return 'writing the report';
  }
}

/** What is left then is the inspection, and repairs if it finds something. */
function isAllWritten({ files, openBlocking }: StatusReport): boolean {
  return files.written > 0 && files.planned === 0 && openBlocking.count === 0;
}

/** `1:02:03` or `2:03`. */
export function describeDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
}
