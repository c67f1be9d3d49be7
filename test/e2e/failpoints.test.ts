import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeArguments } from '../../src/local/node-arguments.ts';
import { exportRun } from '../../src/runs/export-run.ts';
import {
  judge,
  referenceOf,
  type Kill,
  type Reference,
  type Verdict,
} from '../fakes/crash-check.ts';
import { openCommandHome, type CommandHome, type Victim } from '../fakes/crash-command.ts';
import { openHarness, type CrashHarness } from '../fakes/crash-harness.ts';
import { nameOf, type Crash, type CrashPlan } from '../fakes/crash-points.ts';
import { killAtRandom } from '../fakes/crash-random.ts';

const PLAN = { files: 12, depth: 4, latencyMs: 80 };

/** What a run stands still after each death of a worker; as short as a busy machine takes. */
const HEARTBEAT_MS = 1_500;

/** In about the order in which a run passes them. */
const CRASHES: readonly Crash[] = [
  { point: 'before-call', activity: 'analyseConcepts', pass: 1 },
  { point: 'journaled', activity: 'draftBlueprint', pass: 2 },
  { point: 'reply-received', activity: 'takeTurn', pass: 2 },
  { point: 'marker-left', activity: 'takeTurn', pass: 2 },
  { point: 'journaled', activity: 'takeTurn', pass: 2 },
  { point: 'store', activity: 'diagnoseRound', pass: 1 },
  { point: 'update', activity: 'commitRound', pass: 1 },
  { point: 'updated', activity: 'commitRound', pass: 1 },
  { point: 'told-late', activity: 'commitRound', pass: 1 },
  { point: 'continued', activity: 'takeTurn', pass: 1 },
  { point: 'store', activity: 'inspectRepository', pass: 1 },
  { point: 'updated', activity: 'writeReport', pass: 1 },
];
/** A server is back sooner than a worker: these are more of the same. */
const MORE_CRASHES: readonly Crash[] = [
  { point: 'told', activity: 'readPaper', pass: 1 },
  { point: 'reply-received', activity: 'extractRequirements', pass: 2 },
  { point: 'update', activity: 'begin', pass: 1 },
  { point: 'journaled', activity: 'remember', pass: 1 },
];
const PLANS: readonly CrashPlan[] = [
  { run: 'worker-dies', target: 'worker', crashes: [...CRASHES] },
  { run: 'server-dies', target: 'server', crashes: [...CRASHES, ...MORE_CRASHES] },
];

describe('a crash at any moment', function () {
  // Only a run that stands still takes so long, or a machine that does much else.
  this.timeout(600_000);
  let harness: CrashHarness;
  let reference: Reference;

  before(async () => {
    harness = await openHarness(PLANS, PLAN, HEARTBEAT_MS);
    await harness.start('undisturbed', { continueEvery: 1 });
    assert.equal(await harness.outcome('undisturbed'), 'complete');
    const labels = join(harness.crashFolder, 'labels.jsonl');
    reference = await referenceOf(harness.ports, 'undisturbed', labels);
  });

  after(() => harness.end());

  async function verdictOn(run: string, kills: readonly Kill[]): Promise<Verdict> {
    const { home, model, ports } = harness;
    return judge(ports, { home, run, model: run, log: model.log }, reference, kills);
  }

  it('is not needed for books that balance: an undisturbed run that continues as new', async () => {
    const verdict = await verdictOn('undisturbed', []);
    assert.deepEqual(verdict.broken, []);
    assert.equal(verdict.repeats, 0);
  });

  for (const plan of PLANS) {
    it(`costs nothing when the ${plan.target} dies at every point of a run`, async () => {
      const before = harness.kills.length;
      await harness.start(plan.run, { continueEvery: 1 });
      assert.equal(await harness.outcome(plan.run), 'complete');
      const missed = plan.crashes.filter(
        (crash) => !existsSync(join(harness.crashFolder, nameOf(plan, crash))),
      );
      assert.deepEqual(missed, []);
      await harness.whole();
      const verdict = await verdictOn(plan.run, harness.kills.slice(before));
      assert.deepEqual(verdict.broken, []);
      // A worker that lives on has its calls: the server's death costs none of them.
      if (plan.target === 'server') assert.equal(verdict.repeats, 0);
    });
  }

  it('costs nothing at ten random moments', async () => {
    const before = harness.kills.length;
    await harness.start('at-random');
    await killAtRandom(harness, { run: 'at-random', kills: 10, seed: 3, longestMs: 1_200 });
    assert.equal(await harness.outcome('at-random'), 'complete');
    const verdict = await verdictOn('at-random', harness.kills.slice(before));
    assert.deepEqual(verdict.broken, []);
  });

  it('costs nothing in an export: repeated, it gives the folder that one without a crash gives', async () => {
    const { home, ports } = harness;
    const [folder, wanted] = [join(home, 'half'), join(home, 'whole')];
    for (const files of [0, 5]) {
      const { signal } = spawnSync(process.execPath, [
        ...nodeArguments(fileURLToPath(new URL('../fakes/crash-export.ts', import.meta.url))),
        ...[home, 'undisturbed', folder, `${files}`],
      ]);
      assert.equal(signal, 'SIGKILL');
    }
    const exported = await exportRun(ports, 'undisturbed', folder);
    assert.deepEqual([exported.keptChanges, exported.unchanged], [[], 5]);
    await exportRun(ports, 'undisturbed', wanted);
    assert.deepEqual(filesIn(folder), filesIn(wanted));
  });

  describe('of the command line', () => {
    let command: CommandHome;

    beforeEach(async () => {
      command = await openCommandHome(harness.model.baseUrl);
    });
    afterEach(() => command.end());

    async function killDuring(run: string, ...victims: readonly Victim[]): Promise<void> {
      command.run(run);
      while (!(await hasPlayedRound(run))) await pause(20);
      await command.kill(...victims);
    }

    async function hasPlayedRound(run: string): Promise<boolean> {
      const { folders } = command.ports;
      if (!(await folders.names()).includes(run)) return false;
      return ((await folders.read(run)).head?.view.round ?? 0) > 0;
    }

    async function resumes(run: string): Promise<void> {
      command.start('resume', run);
      assert.equal(await command.exitCode(), 0, readFileSync(command.logOf('client'), 'utf8'));
      const suspect = { home: command.home, run, model: run, log: harness.model.log };
      const verdict = await judge(command.ports, suspect, reference, command.kills);
      assert.deepEqual(verdict.broken, []);
    }

    it('costs nothing when supervisor and client die: resume goes on', async () => {
      await killDuring('no-supervisor', 'supervisor', 'client');
      await resumes('no-supervisor');
    });

    it('costs nothing when all processes die and Temporal forgets: resume goes on from the head', async () => {
      await killDuring('forgotten', 'client', 'supervisor', 'worker', 'server');
      await command.forget();
      await resumes('forgotten');
    });
  });
});

/**
 * Every file's text by its path; not the lock, which tells which process had it, and of git's own folder the commits
 * alone: its index tells when each file was written.
 */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter(
    (name) =>
      !name.includes('export.lock') &&
      (!name.startsWith('.git/') || name.startsWith('.git/refs/')) &&
      statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}
