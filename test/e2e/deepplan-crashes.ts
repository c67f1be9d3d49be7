import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunState } from '../../src/domain/run-state.ts';
import { getJson } from '../../src/store/stored-json.ts';
import {
  judge,
  referenceOf,
  type Kill,
  type Reference,
  type Verdict,
} from '../fakes/crash-check.ts';
import { openHarness, type CrashHarness } from '../fakes/crash-harness.ts';
import { nameOf, type CrashPlan } from '../fakes/crash-points.ts';
import { killAtRandom } from '../fakes/crash-random.ts';
import { EXTRA, TWO } from '../fakes/deepplan-answers.ts';

const MODEL = { files: 0, depth: 0, latencyMs: 60, scenario: 'deepplan-scenario.ts' };
/** What a run stands still after each death of a worker; as short as a busy machine takes. */
const HEARTBEAT_MS = 1_500;
const LAST_CRASH_MS = 5_000;
/** Each round is a life of the workflow, so that the repair stands after a continue-as-new. */
const WISH = { mode: 'deepplan', continueEvery: 1 } as const;

/** Runs that die where they are told to, and one at `randomKills` seeded moments; each must end as if nothing had been. */
export function describeCrashes(plans: readonly CrashPlan[], randomKills: number): void {
  let harness: CrashHarness;
  let reference: Reference;

  before(async () => {
    harness = await openHarness(plans, MODEL, HEARTBEAT_MS);
    await harness.start('undisturbed', WISH);
    await endsComplete('undisturbed');
    const labels = join(harness.crashFolder, 'labels.jsonl');
    reference = await referenceOf(harness.ports, 'undisturbed', labels);
  });

  after(() => harness.end());

  async function endsComplete(run: string): Promise<void> {
    const outcome = await harness.outcome(run);
    const events = await harness.ports.folders.events(run);
    assert.equal(outcome, 'complete', events.map(({ text }) => text).join('\n'));
  }

  async function verdictOn(run: string, kills: readonly Kill[]): Promise<Verdict> {
    const { home, model, ports } = harness;
    return judge(ports, { home, run, model: run, log: model.log }, reference, kills);
  }

  it('has tools, an amendment, a repair and a judge in a run that nothing disturbs, whose books balance', async () => {
    const { store, folders, journal } = harness.ports;
    const { head, seed } = await folders.read('undisturbed');
    assert.ok(head);
    const { tree, progress, round } = await getJson(store, RunState, head.stateRef);
    assert.ok(tree[EXTRA]);
    assert.deepEqual([progress[TWO]?.repairs, progress[TWO]?.revision, round], [1, 2, 2]);
    const labels = (await journal.entries(seed)).map(({ label }) => label);
    for (const label of ['r1/judge/try1', 'r2/plan/try1', 'r1/write/src/part_01.py/t3'])
      assert.ok(labels.includes(label), `${label} of ${labels.join(' ')}`);
    const verdict = await verdictOn('undisturbed', []);
    assert.deepEqual(verdict.broken, []);
    assert.equal(verdict.repeats, 0);
  });

  for (const plan of plans) {
    it(`costs nothing when the ${plan.target} dies at ${plan.crashes.length} points of a run`, async () => {
      const before = harness.kills.length;
      await harness.start(plan.run, WISH);
      await endsComplete(plan.run);
      const missed = () =>
        plan.crashes.filter((crash) => !existsSync(join(harness.crashFolder, nameOf(plan, crash))));
      // The record names the outcome a moment before the last crash.
      const deadline = Date.now() + LAST_CRASH_MS;
      while (missed().length > 0 && Date.now() < deadline) await pause(20);
      assert.deepEqual(missed(), []);
      await harness.whole();
      const verdict = await verdictOn(plan.run, harness.kills.slice(before));
      assert.deepEqual(verdict.broken, []);
      // A worker that lives on has its calls: the server's death costs none of them.
      if (plan.target === 'server') assert.equal(verdict.repeats, 0);
    });
  }

  if (randomKills > 0)
    it(`costs nothing at ${randomKills} random moments`, async () => {
      const before = harness.kills.length;
      await harness.start('at-random', WISH);
      await killAtRandom(harness, {
        ...{ run: 'at-random', kills: randomKills, seed: 5, longestMs: 900 },
      });
      await endsComplete('at-random');
      const verdict = await verdictOn('at-random', harness.kills.slice(before));
      assert.deepEqual(verdict.broken, []);
    });
}
