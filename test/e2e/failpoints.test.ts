import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { judge, referenceOf, type Reference } from '../fakes/crash-check.ts';
import { openHarness, type CrashHarness } from '../fakes/crash-harness.ts';
import { nameOf, type Crash } from '../fakes/crash-points.ts';

const PLAN = { files: 12, depth: 4, latencyMs: 80 };

/** In about the order in which a run passes them; each kills once. */
const CRASHES: readonly Crash[] = [
  { point: 'told', activity: 'readPaper', pass: 1 },
  { point: 'before-call', activity: 'analyseConcepts', pass: 1 },
  { point: 'reply-received', activity: 'extractRequirements', pass: 2 },
  { point: 'journaled', activity: 'draftBlueprint', pass: 2 },
  { point: 'update', activity: 'begin', pass: 1 },
  { point: 'reply-received', activity: 'takeTurn', pass: 2 },
  { point: 'marker-left', activity: 'takeTurn', pass: 2 },
  { point: 'journaled', activity: 'takeTurn', pass: 2 },
  { point: 'told', activity: 'applyTools', pass: 2 },
  { point: 'store', activity: 'diagnoseRound', pass: 1 },
  { point: 'update', activity: 'commitRound', pass: 1 },
  { point: 'updated', activity: 'commitRound', pass: 1 },
  { point: 'told-late', activity: 'commitRound', pass: 1 },
  { point: 'journaled', activity: 'remember', pass: 1 },
  { point: 'continued', activity: 'takeTurn', pass: 1 },
  { point: 'store', activity: 'inspectRepository', pass: 1 },
  { point: 'update', activity: 'writeReport', pass: 1 },
  { point: 'updated', activity: 'writeReport', pass: 1 },
];

/** A server that has just died of the record's change cannot die again of what comes a millisecond later. */
const OF_SERVER = CRASHES.filter(
  ({ point, activity }) => !(point === 'update' && activity === 'writeReport'),
);

for (const target of ['worker', 'server'] as const) {
  const crashes = target === 'worker' ? CRASHES : OF_SERVER;
  describe(`a run whose ${target} dies at every point of its work`, function () {
    this.timeout(240_000);
    let harness: CrashHarness;
    let reference: Reference;

    before(async () => {
      harness = await openHarness({ target, run: 'struck', crashes }, PLAN);
      await harness.start('undisturbed', { continueEvery: 1 });
      assert.equal(await harness.outcome('undisturbed'), 'complete');
      reference = await referenceOf(
        harness.ports,
        'undisturbed',
        join(harness.crashFolder, 'labels.jsonl'),
      );
      const { home, model } = harness;
      const verdict = await judge(
        harness.ports,
        { home, run: 'undisturbed', model: 'undisturbed', log: model.log },
        reference,
        [],
      );
      console.log(verdict);
      assert.deepEqual(verdict.broken, []);
    });

    after(() => harness.end());

    it('completes as the undisturbed one, and pays for no journaled reply again', async () => {
      await harness.start('struck', { continueEvery: 1 });
      assert.equal(await harness.outcome('struck'), 'complete');
      const { home, model } = harness;
      const verdict = await judge(
        harness.ports,
        { home, run: 'struck', model: 'struck', log: model.log },
        reference,
        harness.kills,
      );
      console.log(verdict, harness.kills.length);
      assert.deepEqual(verdict.broken, []);
      const missed = crashes.filter(
        (crash) => !existsSync(join(harness.crashFolder, nameOf(crash))),
      );
      assert.deepEqual(missed, []);
    });
  });
}
