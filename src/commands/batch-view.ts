import { createLogUpdate } from 'log-update';
import { spentOf, type Batch } from '../domain/batch.ts';
import { formatAmount } from '../domain/budget.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeDuration, describeFiles, describeState } from './describe-run.ts';
import { paintOf, type FollowView } from './follow-views.ts';
import type { Terminal } from './ports.ts';
import { cleanLine, fit } from './text-width.ts';

/** A table of all papers of a batch, redrawn in place while they run. */
export interface BatchView {
  /** The view of one run among the others. */
  of(run: string): FollowView;
  /** Says what is wrong with a paper that has no run. */
  note(run: string, problem: string): void;
  end(): void;
}

/** What the table knows of its rows. */
export interface BatchPicture {
  readonly batch: Batch;
  readonly statuses: ReadonlyMap<string, StatusReport>;
  readonly problems: ReadonlyMap<string, string>;
  readonly nowMs: number;
}

export function createBatchView(terminal: Terminal, batch: Batch): BatchView {
  const update = createLogUpdate(terminal.stream);
  const { bold } = paintOf(terminal.hasColors);
  const statuses = new Map<string, StatusReport>();
  const problems = new Map<string, string>();
  const draw = (): void => {
    const picture = { batch, statuses, problems, nowMs: Date.now() };
    const [head = '', ...rows] = batchLines(picture, terminal.columns() - 1);
    update([bold(head), ...rows.slice(0, Math.max(1, terminal.rows() - 2))].join('\n'));
  };
  return {
    of: (run) => ({
      isEveryLook: true,
      show({ status }) {
        statuses.set(run, status);
        draw();
      },
      end: () => undefined,
    }),
    note(run, problem) {
      problems.set(run, problem);
      draw();
    },
    end: () => update.done(),
  };
}

/** The table as lines of at most `columns`: a head, then a row a paper, those under way first. */
export function batchLines(picture: BatchPicture, columns: number): string[] {
  const { batch, statuses, problems } = picture;
  const head = `Batch ${batchHead(picture)}`;
  const width = Math.max(...batch.entries.map(({ run }) => run.length));
  const rank = (run: string): number => {
    const status = statuses.get(run);
    if (!status) return problems.has(run) ? 2 : 1;
    return status.state === 'ended' ? 2 : 0;
  };
  const rows = batch.entries
    .toSorted((one, other) => rank(one.run) - rank(other.run))
    .map(({ run }) => {
      const problem = problems.get(run);
      const text =
        problem === undefined ? rowOf(statuses.get(run)) : `failed  ${cleanLine(problem)}`;
      return fit(`${run.padEnd(width)}  ${text}`, columns);
    });
  return [fit(head, columns), ...rows];
}

/** `NAME: 2 of 3 ended · 1.20 USD of 4.00 USD · 12:03`. */
export function batchHead({ batch, statuses, problems, nowMs }: BatchPicture): string {
  const known = [...statuses.values()];
  const spent = spentOf(batch, new Map(known.map(({ name, account }) => [name, account.spent])));
  const ended = known.filter(({ state }) => state === 'ended');
  const count = ended.length + problems.size;
  const cap = batch.total === null ? '' : ` of ${formatAmount(batch.total, batch.unit)}`;
  // A batch that is over takes no longer for being looked at.
  const isOver = ended.length > 0 && count >= batch.entries.length;
  const untilMs = isOver ? Math.max(...ended.map(({ updatedAt }) => Date.parse(updatedAt))) : nowMs;
  const took = describeDuration(untilMs - Date.parse(batch.createdAt));
  return `${batch.name}: ${count} of ${batch.entries.length} ended · ${formatAmount(spent, batch.unit)}${cap} · ${took}`;
}

function rowOf(status: StatusReport | undefined): string {
  if (!status) return 'not begun';
  const { account } = status;
  return `${describeState(status).padEnd(18)}  ${describeFiles(status)} · ${formatAmount(account.spent, account.unit)}`;
}
