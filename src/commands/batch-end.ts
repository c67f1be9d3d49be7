import { join } from 'node:path';
import { spentOf, worstExitCode, type Batch } from '../domain/batch.ts';
import { formatAmount } from '../domain/budget.ts';
import type { PaperEnd } from '../runs/drive-batch.ts';
import { describeSpend } from './describe-run.ts';
import { exitCodeFor } from './follow.ts';

/** The exit code of a batch: the worst of its papers'. */
export function exitCodeOf(ends: readonly PaperEnd[], papers: number): number {
  const codes = ends.map(({ kind, status }) => {
    if (kind === 'ended' && status) return exitCodeFor(status);
    if (kind === 'interrupted') return 130;
    return kind === 'waiting' ? 4 : 1;
  });
  // What was not even begun is no success.
  return worstExitCode(ends.length < papers ? [...codes, 4] : codes);
}

/** `Batch papers: 2 complete, 1 failed; 12.30 of 40.00 USD spent.` */
export function describeBatchEnd(batch: Batch, ends: readonly PaperEnd[]): string {
  const counts = new Map<string, number>();
  for (const { kind, status } of ends) {
    const word = status?.outcome ?? kind;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const unbegun = batch.entries.length - ends.length;
  const words = [...counts].map(([word, count]) => `${count} ${word}`);
  if (unbegun > 0) words.push(`${unbegun} not begun`);
  const known = ends.flatMap(({ run, status }) =>
    status ? [[run, status.account.spent] as const] : [],
  );
  const spent = spentOf(batch, new Map(known));
  const amount =
    batch.total === null
      ? `${formatAmount(spent, batch.unit)} spent`
      : `${describeSpend({ account: { unit: batch.unit, cap: batch.total, spent, maybePaid: 0 } })} spent`;
  return `Batch ${batch.name}: ${words.join(', ')}; ${amount}.`;
}

/** Where what came out of the papers is: `repositories` are folders that were written, by run. */
export function describePlaces(
  ends: readonly PaperEnd[],
  repositories: ReadonlyMap<string, string>,
): string[] {
  const lines = [...repositories].map(
    ([run, folder]) => `${run}: ${folder} (report: ${join(folder, '.deeprepro', 'REPORT.md')})`,
  );
  const isElsewhere = ({ run, status }: PaperEnd): boolean =>
    !repositories.has(run) && (status?.head ?? status?.report ?? null) !== null;
  const [first] = ends.filter(isElsewhere);
  if (!first) return lines;
  return [
    ...lines,
    `\`deeprepro report RUN\` prints a report, \`deeprepro export RUN --out DIR\` writes a repository; RUN is such as ${first.run}.`,
  ];
}
