import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Blueprint } from '../../src/domain/blueprint.ts';
import type { Model } from '../../src/models/model.ts';
import { getJson, getText, putJson } from '../../src/store/stored-json.ts';
import { deferred } from '../fakes/deferred.ts';
import { drive, heldModel, planModel, SMALL_PLAN, until } from './driven-run.ts';

const PATHS = SMALL_PLAN.map(({ path }) => path).sort();
const FIRST_MODULE = 'r1/write/src/part_01.py/t1';
const FIRST_STEP = 'round 1: write src/part_01.py';

describe('steering a run', () => {
  it('pauses: steps under way end, no other starts, and resume goes on', async () => {
    const gate = deferred();
    const model = planModel();
    const held = heldModel(model, (label) => label === FIRST_MODULE, gate.promise);
    await drive(held, {}, async (run) => {
      await until('only that file is being written', async () => {
        const { live } = await run.status();
        return live.length === 1 && live[0] === FIRST_STEP;
      });
      await run.engine.pause(run.name);
      await until('the run folder says so', async () => (await run.record()).paused);
      gate.resolve();
      await until('nothing is under way', async () => (await run.status()).live.length === 0);
      const { waits, paused } = await run.status();
      assert.deepEqual([paused, waits.map(({ kind }) => kind)], [true, ['pause']]);
      const calls = model.requests.length;
      // Trying again what waits does not lift a pause that a person set.
      await run.engine.resume(run.name, { liftPause: false });
      assert.equal((await run.status()).paused, true);
      assert.equal(model.requests.length, calls);
      assert.equal(await run.resume(), 'signalled');
      assert.equal(await run.outcome(), 'complete');
      assert.equal((await run.record()).paused, false);
    });
  });

  it('stops after the round, and resumes from there without asking anything twice', async () => {
    const gate = deferred();
    const model = planModel();
    const held = heldModel(model, (label) => label === FIRST_MODULE, gate.promise);
    await drive(held, {}, async (run) => {
      await until('only that file is being written', async () => {
        const { live } = await run.status();
        return live.length === 1 && live[0] === FIRST_STEP;
      });
      await run.engine.stop(run.name);
      gate.resolve();
      assert.equal(await run.outcome(), 'stopped');
      const stopped = await run.record();
      assert.deepEqual([stopped.outcome, stopped.head?.view.round], ['stopped', 1]);
      assert.deepEqual(stopped.head?.view.withoutNotes, []);
      assert.equal(await run.resume(), 'restarted');
      assert.equal(await run.outcome(), 'complete');
      const ended = await run.record();
      assert.deepEqual([ended.incarnation, ended.outcome, ended.stopping], [2, 'complete', false]);
      assert.equal(ended.account.calls, model.requests.length);
      assert.ok([...model.callsByLabel.values()].every((count) => count === 1));
      assert.deepEqual(Object.keys((await run.product.stateOf(run.name)).tree).sort(), PATHS);
    });
  });

  it('is cancelled while calls are in flight: a report is written and the last whole round is kept', async () => {
    const held = heldModel(
      planModel(),
      (label) => label.startsWith('r2/'),
      new Promise(() => undefined),
    );
    const price = { input: 1, cached: 1, output: 1 };
    await drive(held, { price, controls: { callAllowance: 1 } }, async (run) => {
      await until('round 2 is being written', async () =>
        (await run.status()).live.some((label) => label.startsWith('round 2: write')),
      );
      const before = await run.record();
      await run.engine.cancel(run.name);
      await assert.rejects(run.outcome());
      assert.equal((await run.engine.describe(run.name))?.status, 'CANCELLED');
      const ended = await run.record();
      assert.deepEqual([ended.outcome, ended.phase], ['cancelled', 'ended']);
      assert.deepEqual(ended.head, before.head);
      assert.ok(ended.report);
      assert.match(await getText(run.product.deps.store, ended.report), /Outcome: cancelled/);
      // The calls that were cut may have been paid, and the record says so.
      assert.ok(ended.account.maybePaid > 0);
      const { maybePaid } = await run.product.deps.journal.totals(ended.seed, run.name);
      assert.ok(Math.abs(maybePaid - ended.account.maybePaid) < 1e-9);
    });
  });

  it('waits for approval: a wrong blueprint is refused, the right one goes on', async () => {
    await drive(planModel(), { controls: { review: true } }, async (run) => {
      const drafted = await until('the blueprint waits', async () => {
        const { phase, blueprint } = await run.record();
        return phase === 'approval' && blueprint !== null && blueprint;
      });
      assert.deepEqual(
        (await run.status()).waits.map(({ kind }) => kind),
        ['approval'],
      );
      const approval = { id: randomUUID(), expected: '0'.repeat(64), amendment: null };
      await assert.rejects(run.engine.approveBlueprint(run.name, approval), /read it again/);
      assert.equal((await run.status()).phase, 'approval');
      const right = { ...approval, expected: drafted.sha256 };
      assert.equal(await run.engine.approveBlueprint(run.name, right), 'approved');
      // Sent again by a client that lost the answer.
      assert.equal(await run.engine.approveBlueprint(run.name, right), 'approved');
      assert.equal(await run.outcome(), 'complete');
      assert.deepEqual((await run.record()).head?.blueprint, drafted);
      await assert.rejects(run.engine.approveBlueprint(run.name, { ...right, id: randomUUID() }));
    });
  });

  it('follows a blueprint that a person amended', async () => {
    await drive(planModel(), { controls: { review: true } }, async (run) => {
      const { store } = run.product.deps;
      const drafted = await until('the blueprint waits', async () => {
        const { phase, blueprint } = await run.record();
        return phase === 'approval' && blueprint !== null && blueprint;
      });
      const blueprint = await getJson(store, Blueprint, drafted);
      const fewer = blueprint.files.filter(({ path }) => path !== 'src/part_02.py');
      const amendment = await putJson(store, { ...blueprint, title: 'As I want it', files: fewer });
      const approval = { id: randomUUID(), expected: drafted.sha256, amendment };
      assert.equal(await run.engine.approveBlueprint(run.name, approval), 'amended');
      await run.outcome();
      const state = await run.product.stateOf(run.name);
      assert.equal((await getJson(store, Blueprint, state.blueprint)).title, 'As I want it');
      assert.equal(state.tree['src/part_02.py'], undefined);
    });
  });

  it('ends at once when it is stopped while the blueprint waits', async () => {
    await drive(planModel(), { controls: { review: true } }, async (run) => {
      await until('the blueprint waits', async () => (await run.record()).phase === 'approval');
      await run.engine.stop(run.name);
      assert.equal(await run.outcome(), 'stopped');
      assert.equal((await run.record()).outcome, 'stopped');
    });
  });

  it('answers in each phase', async () => {
    const gates = ['analyse/concepts', 'plan/files', FIRST_MODULE, 'remember/'].map((start) => ({
      start,
      gate: deferred(),
    }));
    const model = gates.reduce<Model>(
      (inner, { start, gate }) =>
        heldModel(inner, (label) => label.startsWith(start), gate.promise),
      planModel(),
    );
    await drive(model, {}, async (run) => {
      const phases: string[] = [];
      for (const [index, { gate }] of gates.entries()) {
        const wanted =
          ['analyse concepts', 'draft blueprint', 'round 1: write src/part_01.py', 'remember '][
            index
          ] ?? '';
        phases.push(
          await until(`"${wanted}" is under way`, async () => {
            const { live, phase } = await run.status();
            return live.some((label) => label.startsWith(wanted)) && phase;
          }),
        );
        gate.resolve();
      }
      assert.deepEqual(phases, ['planning', 'planning', 'rounds', 'rounds']);
      await run.outcome();
      const { phase, outcome, live, waits, view } = await run.status();
      assert.deepEqual([phase, outcome, live, waits], ['ended', 'complete', [], []]);
      assert.deepEqual(view, (await run.record()).head?.view);
    });
  });

  it('continues as new after every round to the same tree, with notes and spend as without', async () => {
    const price = { input: 10, cached: 10, output: 20 };
    const seed = 'ab'.repeat(16);
    const ends: unknown[] = [];
    for (const continueEvery of [null, 1]) {
      const model = planModel();
      await drive(
        model,
        { price, seed, controls: { continueEvery, callAllowance: 1 } },
        async (run) => {
          assert.equal(await run.outcome(), 'complete');
          const { account } = await run.record();
          const state = await run.product.stateOf(run.name);
          assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
          assert.equal(account.calls, model.requests.length);
          const { spent } = await run.product.deps.journal.totals(seed, run.name);
          assert.ok(
            Math.abs(account.spent - spent) < 1e-9,
            `${account.spent} is told, ${spent} was spent`,
          );
          ends.push([state.tree, state.memory, state.findings, spent.toFixed(9)]);
        },
      );
    }
    assert.deepEqual(ends[1], ends[0]);
  });
});
