import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunRecord } from '../../src/domain/run-record.ts';
import type { Engine, EngineRun, KeeperPorts, RunPorts } from '../../src/runs/ports.ts';
import { startRun, type StartWish } from '../../src/runs/start-run.ts';
import { runGit } from '../../src/processes/git.ts';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { createFolderKeeper } from '../../src/store/folder-keeper.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import type { ReproduceInput, RunStatus } from '../../src/workflows/messages.ts';

/** An engine that remembers what it was told; tests set what it answers. */
export interface FakeEngine extends Engine {
  readonly told: unknown[];
  readonly started: ReproduceInput[];
  /** What the server knows of any run; undefined for nothing. */
  run: EngineRun | undefined;
  answer: () => Promise<RunStatus>;
  isLost: boolean;
}

export const RUNNING: EngineRun = { status: 'RUNNING', isRunning: true, pending: [] };
export const CLOSED: EngineRun = { status: 'COMPLETED', isRunning: false, pending: [] };

export function fakeEngine(): FakeEngine {
  const told: unknown[] = [];
  const started: ReproduceInput[] = [];
  const tell =
    (verb: string) =>
    async (...details: unknown[]) =>
      void told.push([verb, ...details]);
  return {
    told,
    started,
    run: undefined,
    answer: () => new Promise(() => undefined),
    isLost: false,
    place: { address: 'local', namespace: 'default', taskQueue: 'deeprepro' },
    uiAddress: null,
    async start(input) {
      started.push(input);
      this.run = RUNNING;
      return true;
    },
    async describe() {
      return this.run;
    },
    async status() {
      return this.answer();
    },
    pause: tell('pause'),
    resume: tell('resume'),
    stop: tell('stop'),
    cancel: tell('cancel'),
    keep: tell('keep'),
    setBudget: tell('setBudget'),
    setParallel: tell('setParallel'),
    retryFile: tell('retryFile'),
    async approveBlueprint(run, approval) {
      told.push(['approveBlueprint', run, approval]);
      return approval.amendment ? 'amended' : 'approved';
    },
    async setModel(run, update) {
      told.push(['setModel', run, update]);
      return 'now';
    },
  };
}

/** A data folder with ports on it, and a paper to run. */
export interface Bench {
  readonly folder: string;
  readonly paper: string;
  readonly ports: RunPorts;
  readonly keeping: KeeperPorts;
  readonly engine: FakeEngine;
  end(): Promise<void>;
}

export async function aBench(): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'deeprepro-runs-'));
  const paper = join(folder, 'My Paper.md');
  await writeFile(paper, '# A paper\n\nThe score is a sum.\n');
  const engine = fakeEngine();
  const ports: RunPorts = {
    store: createFolderStore(join(folder, 'store')),
    journal: createFolderJournal(join(folder, 'journal')),
    folders: createRunFolders(join(folder, 'runs')),
    git: runGit,
    checkPaper: async () => ({ characters: 30 }),
    engine: async () => engine,
    engineIfUp: async () => engine,
  };
  return {
    folder,
    paper,
    engine,
    ports,
    keeping: { ...ports, keeper: createFolderKeeper(join(folder, 'store')) },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What a person asks for who says no more than they must. */
export function aWish(paper: string, changes: Partial<StartWish> = {}): StartWish {
  return {
    paper,
    supplements: [],
    figures: [],
    userRequests: [],
    model: {
      model: 'gpt-5-mini',
      baseUrl: undefined,
      keyEnv: 'OPENAI_API_KEY',
      price: undefined,
      replay: undefined,
    },
    budgetUsd: undefined,
    budgetTokens: undefined,
    onBudget: 'wait',
    parallel: 8,
    review: false,
    maxOutputTokens: 32_000,
    name: undefined,
    out: null,
    heartbeatMs: 30_000,
    continueEvery: undefined,
    environment: { OPENAI_API_KEY: 'key-for-tests' },
    ...changes,
  };
}

/** A run that was started, its record changed as wished. */
export async function aStartedRun(
  bench: Bench,
  changes: Partial<RunRecord> = {},
): Promise<RunRecord> {
  const { record } = await startRun(bench.ports, aWish(bench.paper));
  return bench.ports.folders.update(record.name, (current) => ({ ...current, ...changes }));
}

/** What a workflow says in the middle of a round. */
export function aStatus(changes: Partial<RunStatus> = {}): RunStatus {
  return {
    schemaVersion: 1,
    phase: 'rounds',
    view: null,
    stateRef: null,
    blueprint: null,
    purse: { unit: 'usd', cap: 15, spent: 1, maybePaid: 0, reserved: 0.5 },
    calls: 7,
    reused: 2,
    paused: false,
    stopping: false,
    waits: [],
    live: ['write src/model.py'],
    outcome: null,
    ...changes,
  };
}
