import { randomBytes } from 'node:crypto';
import { formatAmount } from '../domain/budget.ts';
import { PaperUnreadable, UsageError } from '../domain/errors.ts';
import type { Estimate } from '../domain/estimate.ts';
import { eventOf } from '../domain/event.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { DEFAULT_LIMITS, DEFAULT_MODE, RunSettings, type Mode } from '../domain/run-settings.ts';
import { Task } from '../domain/task.ts';
import type { VerifyMode } from '../domain/verification.ts';
import { putJson } from '../store/stored-json.ts';
import { chooseBudget, type Budget } from './choose-budget.ts';
import { callAllowanceOf, chooseModels, keyNamesIn, type ModelWish } from './choose-models.ts';
import { describeEstimate, estimateFor } from './estimate-run.ts';
import { requireUsableFolder } from './export-folder.ts';
import { firstInput } from './first-input.ts';
import type { Engine, RunPorts } from './ports.ts';
import { readPaperSource, readSource, type SourceFile } from './read-source.ts';
import {
  checkedRunName,
  createUnderFreeName,
  freeName,
  requireFreeName,
  slugOf,
} from './run-name.ts';
import { toldControls } from './told-controls.ts';

/** What a person asks for. Paths are as given; `out` is absolute. */
export interface StartWish {
  readonly paper: string;
  readonly supplements: readonly string[];
  readonly figures: readonly string[];
  readonly userRequests: readonly string[];
  readonly model: ModelWish;
  readonly budgetUsd: number | undefined;
  readonly budgetTokens: number | undefined;
  readonly onBudget: 'wait' | 'stop';
  /** How rounds are planned; DEFAULT_MODE where it is left out. */
  readonly mode?: Mode | undefined;
  /** When requirements are verified; never where it is left out. */
  readonly verify?: VerifyMode | undefined;
  readonly parallel: number;
  readonly review: boolean;
  readonly maxOutputTokens: number;
  /** Undefined takes one from the paper's file name. */
  readonly name: string | undefined;
  readonly out: string | null;
  readonly heartbeatMs: number;
  readonly continueEvery: number | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** The batch that it belongs to. */
  readonly batch?: string;
}

/** A run that was started; `notice` is a sentence for the person, or empty. */
export interface Started {
  readonly record: RunRecord;
  readonly notice: string;
  /** What it is likely to cost, and its cap, as one line; empty where the model costs nothing. */
  readonly estimate: string;
}

/**
 * Checks everything first, makes the run's folder, and only then starts the workflow, so that whatever happens after
 * can be resumed. Throws `UsageError` for what the person has to correct; then nothing was made.
 */
export async function startRun(ports: RunPorts, wish: StartWish): Promise<Started> {
  const name = wish.name === undefined ? undefined : checkedRunName(wish.name);
  if (name !== undefined) await requireFreeName(ports.folders, name);
  // A file that is not there is told before a key that is not set: it is what the person has just typed.
  const files = await readSources(wish);
  const { models, ...sight } = chooseModels(wish.model, wish.environment);
  const budget = chooseBudget(models, { usd: wish.budgetUsd, tokens: wish.budgetTokens });
  const sources = await requireText(ports, files);
  if (wish.out !== null) {
    const likely = name ?? (await freeName(ports.folders, slugOf(sources.paper.name)));
    await requireUsableFolder(wish.out, likely);
  }
  const engine = await ports.engine(keyNamesIn(models));
  const task = await storeTask(ports, sources, wish.userRequests);
  const settings = RunSettings.parse({
    schemaVersion: 1,
    seed: randomBytes(16).toString('hex'),
    task,
    mode: wish.mode ?? DEFAULT_MODE,
    models,
    ...sight,
    unit: budget.unit,
    maxOutputTokens: wish.maxOutputTokens,
    limits: DEFAULT_LIMITS,
    ...(wish.verify && { verify: wish.verify }),
  });
  const settingsRef = await putJson(ports.store, settings);
  const estimate = estimateFor(settings, sources.characters);
  const parts = { settings, settingsRef, estimate, budget, engine, wish, paper: sources.paper };
  const recordFor = (runName: string) => newRecord({ name: runName, ...parts });
  const record = await createRecord(ports, name, slugOf(sources.paper.name), recordFor);
  await sayStarted(ports, record, settings);
  await engine.start(firstInput(record));
  return { record, notice: budget.notice, estimate: describeEstimate(estimate, budget) };
}

async function createRecord(
  { folders }: RunPorts,
  name: string | undefined,
  slug: string,
  recordFor: (name: string) => RunRecord,
): Promise<RunRecord> {
  if (name === undefined) return createUnderFreeName(folders, slug, recordFor);
  const record = recordFor(name);
  await folders.create(record);
  return record;
}

/** A paper without any text is told now, not by a run that has failed. Throws `UsageError`. */
export async function requireReadable(
  { checkPaper }: Pick<RunPorts, 'checkPaper'>,
  wish: Pick<StartWish, 'paper' | 'supplements' | 'figures'>,
): Promise<Sources & { readonly characters: number }> {
  return requireText({ checkPaper }, await readSources(wish));
}

async function requireText(
  { checkPaper }: Pick<RunPorts, 'checkPaper'>,
  sources: Sources,
): Promise<Sources & { readonly characters: number }> {
  const { characters } = await checkPaper(sources.paper, sources.supplements).catch(
    (error: unknown) => {
      throw error instanceof PaperUnreadable
        ? new UsageError(error.message, { cause: error })
        : error;
    },
  );
  return { ...sources, characters };
}

interface Sources {
  readonly paper: SourceFile;
  readonly supplements: readonly SourceFile[];
  readonly figures: readonly SourceFile[];
}

/** The files of a wish. Throws `UsageError` for one that is not there. */
export async function readSources(
  wish: Pick<StartWish, 'paper' | 'supplements' | 'figures'>,
): Promise<Sources> {
  return {
    paper: await readPaperSource(wish.paper, 'paper'),
    supplements: await Promise.all(
      wish.supplements.map((path) => readPaperSource(path, 'supplement')),
    ),
    figures: await Promise.all(wish.figures.map((path) => readSource(path, 'figure'))),
  };
}

async function storeTask(
  { store }: RunPorts,
  { paper, supplements, figures }: Sources,
  userRequests: readonly string[],
) {
  const keep = async ({ name, content }: SourceFile) => ({
    name,
    content: await store.put(content),
  });
  const task = Task.parse({
    schemaVersion: 1,
    paper: await keep(paper),
    supplements: await Promise.all(supplements.map(keep)),
    figures: await Promise.all(figures.map(keep)),
    userRequests,
  });
  return putJson(store, task);
}

interface RecordParts {
  readonly name: string;
  readonly settings: RunSettings;
  readonly settingsRef: RunRecord['settings'];
  readonly estimate: Estimate;
  readonly budget: Budget;
  readonly engine: Engine;
  readonly wish: StartWish;
  readonly paper: SourceFile;
}

function newRecord(parts: RecordParts): RunRecord {
  const { name, settings, settingsRef, estimate, budget, engine, wish, paper } = parts;
  const { unit, cap } = budget;
  const now = new Date().toISOString();
  return {
    schemaVersion: 1,
    name,
    createdAt: now,
    updatedAt: now,
    paper: paper.name,
    seed: settings.seed,
    settings: settingsRef,
    controls: {
      ...toldControls(settings),
      parallel: wish.parallel,
      review: wish.review,
      onBudget: wish.onBudget,
      unit,
      maxTurns: settings.limits.maxTurns,
      callAllowance: callAllowanceOf(settings.models, unit, settings.maxOutputTokens),
      heartbeatMs: wish.heartbeatMs,
      continueEvery: wish.continueEvery ?? null,
    },
    temporal: { ...engine.place },
    estimate,
    out: wish.out,
    ...(wish.batch === undefined ? {} : { batch: wish.batch }),
    incarnation: 1,
    head: null,
    sequence: 0,
    phase: 'planning',
    blueprint: null,
    account: { unit, cap, spent: 0, maybePaid: 0, calls: 0, reused: 0 },
    paused: false,
    stopping: false,
    waits: [],
    outcome: null,
    failure: '',
    report: null,
  };
}

async function sayStarted(
  { folders }: RunPorts,
  record: RunRecord,
  { models, unit }: RunSettings,
): Promise<void> {
  const cap = record.account.cap ?? 0;
  const event = eventOf(
    {
      kind: 'run-started',
      round: 0,
      subject: record.paper,
      text: `Started on ${record.paper} with ${models.executor.model}, capped at ${formatAmount(cap, unit)}.`,
      ref: record.settings,
    },
    record.createdAt,
  );
  await folders.append(record.name, event);
}
