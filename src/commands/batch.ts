import type { Command } from 'commander';
import type { Batch } from '../domain/batch.ts';
import { UsageError } from '../domain/errors.ts';
import { readStatus } from '../runs/read-status.ts';
import { batchHead, batchLines, type BatchPicture } from './batch-view.ts';
import { amount } from './option-values.ts';
import type { Ports } from './ports.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { fit } from './text-width.ts';

/** Adds `batch`: where the papers of a batch stand, and what they may cost together. */
export function addBatch(program: Command, ports: Ports): void {
  program
    .command('batch')
    .summary('show a batch, or list all')
    .description(
      'Shows the papers of a batch and their money; without a name, lists all batches. `deeprepro run P1 P2 …` starts one.',
    )
    .argument('[name]', "the batch's name")
    .option(
      '--total-budget <amount>',
      'what all may cost together, in its unit',
      amount('--total-budget'),
    )
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro batch batch --total-budget 60')
    .action(async (name: string | undefined, options: { totalBudget?: number; json?: true }) => {
      if (name !== undefined) await showBatch(ports, name, options);
      else if (options.totalBudget !== undefined)
        throw new UsageError(
          'A new total is of one batch: `deeprepro batch NAME --total-budget …`.',
        );
      else await listBatches(ports, options.json === true);
    });
}

async function listBatches(ports: Ports, json: boolean): Promise<void> {
  const { terminal } = ports;
  const names = await ports.batches().names();
  if (json) terminal.out(JSON.stringify(names));
  else if (names.length === 0)
    terminal.out(
      'There are no batches yet: `deeprepro run P1 P2 … --total-budget USD` starts one.',
    );
  else for (const name of names) terminal.out(fit(await lineOf(ports, name), columnsOf(ports)));
}

/** The others are listed where one cannot be read. */
async function lineOf(ports: Ports, name: string): Promise<string> {
  try {
    return batchHead(await pictureOf(ports, await ports.batches().read(name)));
  } catch (error) {
    return `${name}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function showBatch(
  ports: Ports,
  name: string,
  { totalBudget, json }: { totalBudget?: number; json?: true },
): Promise<void> {
  const { terminal } = ports;
  const batch = await ports.batches().update(name, (each) => {
    if (totalBudget === undefined) return each;
    const claimed = each.entries.reduce((sum, entry) => sum + (entry.settled ?? entry.granted), 0);
    if (totalBudget < claimed)
      throw new UsageError(
        `Runs of "${name}" have a claim on ${claimed.toFixed(2)} already: give at least that much.`,
      );
    return { ...each, total: totalBudget };
  });
  const picture = await pictureOf(ports, batch);
  if (json) {
    terminal.out(JSON.stringify({ batch, statuses: Object.fromEntries(picture.statuses) }));
    return;
  }
  for (const line of batchLines(picture, columnsOf(ports))) terminal.out(line);
}

async function pictureOf(ports: Ports, batch: Batch): Promise<BatchPicture> {
  const begun = new Set(await ports.runs().folders.names());
  const statuses = new Map<string, StatusReport>();
  for (const { run } of batch.entries)
    if (begun.has(run)) statuses.set(run, await readStatus(ports.runs(), run));
  const problems = new Map(
    batch.entries.flatMap(({ run, problem }) => (problem === '' ? [] : [[run, problem] as const])),
  );
  return { batch, statuses, problems, nowMs: Date.now() };
}

function columnsOf({ terminal }: Ports): number {
  return terminal.isLive ? terminal.columns() : Infinity;
}

/** Whether this is a batch's name; a run of that name comes first. */
export async function isBatchName(ports: Ports, name: string): Promise<boolean> {
  if ((await ports.runs().folders.names()).includes(name)) return false;
  return (await ports.batches().find(name)) !== undefined;
}
