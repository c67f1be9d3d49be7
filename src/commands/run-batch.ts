import { basename, join, resolve } from 'node:path';
import { type Batch, type BatchEntry, type BatchPaper } from '../domain/batch.ts';
import { UsageError } from '../domain/errors.ts';
import { DEFAULT_MODE } from '../domain/run-settings.ts';
import { chooseBudget } from '../runs/choose-budget.ts';
import { chooseModels } from '../runs/choose-models.ts';
import { driveBatch } from '../runs/drive-batch.ts';
import { readBatchFile } from '../runs/read-batch-file.ts';
import { firstFree, slugOf } from '../runs/run-name.ts';
import { readSources, requireReadable } from '../runs/start-run.ts';
import type { StartWish } from '../runs/start-run.ts';
import { describeBatchEnd, describePlaces, exitCodeOf } from './batch-end.ts';
import { createBatchView } from './batch-view.ts';
import { exportIfAsked } from './finish-run.ts';
import { follow } from './follow.ts';
import { modelOptionsIn, modelWishOf } from './model-options.ts';
import type { Ports } from './ports.ts';
import type { RunOptions } from './run.ts';
import { cleanLine } from './text-width.ts';

/** Options of `run` that concern several papers. */
export interface BatchOptions {
  readonly totalBudget?: number;
  readonly totalBudgetTokens?: number;
  readonly parallelRuns: number;
}

/** Whether these words name a list of papers rather than a paper. */
export function isBatch(papers: readonly string[]): boolean {
  return papers.length > 1 || papers.some((path) => /\.ya?ml$/i.test(path));
}

/** Starts several papers on one purse and follows them to their end; resolves to the exit code. */
export async function runBatch(
  ports: Ports,
  papers: readonly string[],
  options: RunOptions & BatchOptions,
): Promise<number> {
  refuseSingular(options);
  const lists = await Promise.all(
    papers.map(async (path) =>
      /\.ya?ml$/i.test(path) ? readBatchFile(path) : [plainPaper(resolve(path))],
    ),
  );
  const shared = {
    supplements: (options.supplement ?? []).map((path) => resolve(path)),
    figures: (options.figures ?? []).map((path) => resolve(path)),
    requests: [...(options.request ?? [])],
  };
  const entries = lists.flat().map((paper) => ({
    ...modelOptionsIn(options),
    ...paper,
    supplements: [...shared.supplements, ...paper.supplements],
    figures: [...shared.figures, ...paper.figures],
    requests: [...shared.requests, ...paper.requests],
  }));
  const batch = await newBatch(ports, entries, options);
  await requireAll(ports, batch, options);
  await ports.batches().create(batch);
  return followBatch(ports, batch.name, options);
}

/** Goes on with a batch, or starts it; resolves to the exit code. */
export async function followBatch(
  ports: Ports,
  name: string,
  options: Pick<RunOptions, 'json'>,
): Promise<number> {
  const { terminal } = ports;
  const batch = await ports.batches().read(name);
  const json = options.json === true;
  if (!json)
    terminal.err(
      `Batch ${name}: ${batch.entries.length} papers, ${batch.parallelRuns} at once; Ctrl-C leaves it safe, \`deeprepro resume ${name}\` goes on.`,
    );
  const view = json || !terminal.isLive ? undefined : createBatchView(terminal, batch);
  const tellProblem = (run: string, problem: string): void => {
    view?.note(run, problem);
    if (!view) terminal.err(`${run}: ${cleanLine(problem)}`);
  };
  const repositories = new Map<string, string>();
  const ends = await driveBatch(ports.runs(), name, {
    batches: ports.batches(),
    wishOf: (current, entry, granted) => wishOf(ports, current, entry, granted),
    onProblem: tellProblem,
    async follow(run) {
      const engine = await ports.runs().engine();
      const end = await follow(ports, run, engine, {
        ...{ json, noWait: true, isOneOfMany: true },
        ...(view ? { view: view.of(run) } : {}),
      });
      const { problem = '', exported } = end.status
        ? await exportIfAsked(ports, end.status)
        : { exported: undefined };
      if (exported) repositories.set(run, exported.folder);
      if (problem !== '') tellProblem(run, problem);
      return { kind: end.kind === 'stranded' ? 'waiting' : end.kind, status: end.status };
    },
  });
  view?.end();
  const exitCode = exitCodeOf(ends, batch.entries.length);
  const after = await ports.batches().read(name);
  if (json) terminal.out(JSON.stringify({ type: 'batch-end', batch: name, exitCode, ends }));
  else
    for (const line of [describeBatchEnd(after, ends), ...describePlaces(ends, repositories)])
      terminal.out(line);
  return exitCode;
}

function plainPaper(paper: string): BatchPaper {
  return { paper, supplements: [], figures: [], requests: [] };
}

function refuseSingular(options: RunOptions): void {
  const refused = [
    options.detach ? '--detach' : '',
    options.record !== undefined ? '--record' : '',
    options.budget !== undefined || options.budgetTokens !== undefined ? '--budget' : '',
  ].find((option) => option !== '');
  if (refused === undefined) return;
  throw new UsageError(
    refused === '--budget'
      ? "For several papers, --total-budget caps them all; a paper's own budget stands in the YAML list."
      : `${refused} is for one paper: leave it out, or start the papers one by one.`,
  );
}

async function newBatch(
  ports: Ports,
  papers: readonly BatchPaper[],
  options: RunOptions & BatchOptions,
): Promise<Batch> {
  const total = options.totalBudget ?? options.totalBudgetTokens ?? null;
  const taken = new Set([
    ...(await ports.batches().names()),
    ...(await ports.runs().folders.names()),
  ]);
  const entries: BatchEntry[] = [];
  for (const paper of papers) {
    const run = paper.name ?? firstFree(slugOf(basename(paper.paper)), taken);
    if (taken.has(run))
      throw new UsageError(
        `The run name "${run}" is taken: give that paper another in the YAML list ("name: …").`,
      );
    taken.add(run);
    entries.push({ run, paper, granted: 0, settled: null, problem: '' });
  }
  return {
    schemaVersion: 1,
    name: options.name ?? firstFree('batch', taken),
    createdAt: new Date().toISOString(),
    unit: options.totalBudgetTokens === undefined ? 'usd' : 'tokens',
    total,
    onBudget: options.onBudget,
    mode: options.mode ?? DEFAULT_MODE,
    parallelRuns: options.parallelRuns,
    parallel: options.parallel,
    maxOutputTokens: options.maxOutputTokens,
    review: options.review ?? false,
    out: options.out === undefined ? null : resolve(options.out),
    replay: options.replay === undefined ? null : resolve(options.replay),
    entries,
  };
}

/** Whatever can be known to be wrong is said before anything is started. */
async function requireAll(ports: Ports, batch: Batch, options: BatchOptions): Promise<void> {
  if (options.totalBudget !== undefined && options.totalBudgetTokens !== undefined)
    throw new UsageError('Give either --total-budget (USD) or --total-budget-tokens, not both.');
  for (const entry of batch.entries) {
    const wish = wishOf(ports, batch, entry, batch.total === null ? null : 1);
    await readSources(wish);
    const { models } = chooseModels(wish.model, wish.environment);
    chooseBudget(models, { usd: wish.budgetUsd, tokens: wish.budgetTokens });
    await requireReadable(ports.runs(), wish);
  }
}

function wishOf(
  ports: Ports,
  batch: Batch,
  { run, paper }: BatchEntry,
  granted: number | null,
): StartWish {
  const settings = ports.settings();
  const cap = granted ?? paper.budget;
  return {
    paper: paper.paper,
    supplements: paper.supplements,
    figures: paper.figures,
    userRequests: paper.requests,
    model: modelWishOf(
      { ...modelOptionsIn(paper), ...(batch.replay === null ? {} : { replay: batch.replay }) },
      settings,
    ),
    budgetUsd: batch.unit === 'usd' ? cap : undefined,
    budgetTokens: batch.unit === 'tokens' ? cap : undefined,
    // The batch hands out more, so that no run ends before it was asked.
    onBudget: batch.total === null ? batch.onBudget : 'wait',
    mode: batch.mode ?? 'fast',
    parallel: batch.parallel,
    review: batch.review,
    maxOutputTokens: batch.maxOutputTokens,
    name: run,
    out: batch.out === null ? null : join(batch.out, run),
    heartbeatMs: settings.heartbeatMs,
    continueEvery: settings.continueEvery,
    environment: settings.environment,
  };
}
