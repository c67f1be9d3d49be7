import assert from 'node:assert/strict';
import { NeedsPerson } from '../../src/domain/errors.ts';
import { forkRun, type ForkWish } from '../../src/runs/fork-run.ts';
import { readRounds } from '../../src/runs/read-rounds.ts';
import { readTranscript } from '../../src/runs/read-transcript.ts';
import { retryFile, retryRun } from '../../src/runs/retry-run.ts';
import { setRun } from '../../src/runs/set-run.ts';
import { workflowIdOf } from '../../src/workflows/messages.ts';
import { deferred } from '../fakes/deferred.ts';
import { temporal } from '../fakes/temporal.ts';
import { drive, heldModel, planModel, SMALL_PLAN, until, type DrivenRun } from './driven-run.ts';

const AS_IT_WAS: ForkWish = {
  round: undefined,
  name: undefined,
  reseed: false,
  model: undefined,
  userRequests: [],
  budgetUsd: undefined,
  budgetTokens: undefined,
  onBudget: undefined,
  parallel: undefined,
  maxOutputTokens: undefined,
  out: null,
};
const PRICE = { input: 10, cached: 10, output: 20 };
/** Planned first; nothing is needed for it. */
const EARLY = SMALL_PLAN.find(({ needs }) => needs.length === 0)?.path ?? '';

describe('living with a run', function () {
  this.timeout(60_000);

  it('forks it from any round, asking and paying nothing again', async () => {
    const model = planModel();
    await drive(model, { price: PRICE }, async (run) => {
      assert.equal(await run.outcome(), 'complete');
      const asked = model.requests.length;
      const { folders } = run.product.deps;
      for (const round of [0, 2]) {
        const { record } = await forkRun(run.ports, run.name, { ...AS_IT_WAS, round });
        const forked = await ended(run, record.name);
        assert.equal(forked.outcome, 'complete');
        assert.equal(model.requests.length, asked, `a fork after round ${round} asked again`);
        assert.equal(forked.account.spent, 0);
        assert.ok(forked.account.reused > 0);
        assert.equal(forked.account.cap, 15);
        const [own, others] = await Promise.all([
          run.product.stateOf(record.name),
          run.product.stateOf(run.name),
        ]);
        assert.deepEqual(own.tree, others.tree);
        const { rounds } = await readRounds(run.ports, record.name);
        assert.deepEqual(
          rounds.map(({ spent }) => spent === null),
          rounds.map((each) => each.round <= round),
        );
      }
      const before = await folders.read(run.name);
      assert.ok(before.account.spent > 0);
      await assert.rejects(
        forkRun(run.ports, run.name, { ...AS_IT_WAS, round: 99 }),
        /has no round 99: its newest is \d/,
      );
    });
  });

  it('forks it with another model or seed, which holds from there on', async () => {
    const model = planModel();
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'complete');
      const asked = model.requests.length;
      const change = { ...NO_CHANGE, model: 'other' };
      const other = await forkRun(run.ports, run.name, { ...AS_IT_WAS, round: 1, model: change });
      assert.equal((await ended(run, other.record.name)).outcome, 'complete');
      const byOther = model.requests.slice(asked);
      assert.ok(byOther.length > 0);
      assert.deepEqual(new Set(byOther.map((request) => request.model)), new Set(['other']));
      assert.ok(byOther.every(({ label }) => !label.startsWith('r1/')));
      const afresh = await forkRun(run.ports, run.name, { ...AS_IT_WAS, round: 1, reseed: true });
      assert.equal((await ended(run, afresh.record.name)).account.reused, 0);
      const again = model.requests.slice(asked + byOther.length);
      assert.ok(again.some(({ label }) => label.startsWith('r2/')));
      assert.ok(again.every((request) => request.model === 'scripted'));
    });
  });

  it('gives a broken file one more repair once the run has ended', async () => {
    let isGood = false;
    const model = planModel(({ label }) =>
      label.includes(`/write/${EARLY}/`) && !isGood ? 'No file.' : undefined,
    );
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'complete-with-gaps');
      const turns = await readTranscript(run.ports, run.name, EARLY);
      assert.match(turns[0]?.refusal ?? '', /^Refused/);
      assert.equal(turns[0]?.reply, 'No file.');
      assert.ok((turns[0]?.messages?.length ?? 0) > 1);
      const { rounds } = await readRounds(run.ports, run.name);
      assert.equal(rounds[1]?.changes.files.find(({ path }) => path === EARLY)?.what, 'refused');
      isGood = true;
      const asked = model.requests.length;
      assert.equal(await retryFile(run.ports, run.name, EARLY), 'restarted');
      assert.equal((await ended(run, run.name)).outcome, 'complete');
      const again = model.requests.slice(asked).filter(({ label }) => label.includes('/write/'));
      assert.ok(again.some(({ label }) => label.includes(EARLY)));
      await assert.rejects(retryFile(run.ports, run.name, EARLY), /Nothing blocking is open in/);
    });
  });

  it('gives a broken file one more repair while the run goes on', async () => {
    let isGood = false;
    const gate = deferred();
    const inner = planModel(({ label }) =>
      label.includes(`/write/${EARLY}/`) && !isGood ? 'No file.' : undefined,
    );
    const model = heldModel(inner, (label) => label.startsWith('r3/'), gate.promise);
    await drive(model, {}, async (run) => {
      await until('the file is broken, and those that need it are being written', async () => {
        const { view, live } = await run.status();
        return (view?.files.broken ?? 0) > 0 && live.some((label) => label.startsWith('round 3'));
      });
      assert.equal(await retryFile(run.ports, run.name, EARLY), 'told');
      isGood = true;
      gate.resolve();
      assert.equal(await run.outcome(), 'complete');
    });
  });

  it('lifts a wait for the network, and leaves a pause', async () => {
    let isUp = false;
    const model = planModel(({ label }) =>
      label.startsWith('r1/') && !isUp
        ? new NeedsPerson('network', 'It cannot be reached.', 'Check the network.')
        : undefined,
    );
    await drive(model, {}, async (run) => {
      await until('it waits', async () => (await run.record()).waits.length > 0);
      await run.engine.pause(run.name);
      isUp = true;
      assert.equal(await retryRun(run.ports, run.name), 'told');
      await until('only the pause is left', async () => {
        const { waits } = await run.status();
        return waits.every(({ kind }) => kind === 'pause');
      });
      assert.equal((await run.status()).paused, true);
      await run.resume();
      assert.equal(await run.outcome(), 'complete');
    });
  });

  it('changes how many calls it makes at once, and its model, from the next commit on', async () => {
    const gate = deferred();
    let [atWork, most] = [0, 0];
    const inner = planModel();
    const counted = heldModel(
      {
        async reply(request, signal) {
          atWork += 1;
          most = Math.max(most, atWork);
          await new Promise(setImmediate);
          atWork -= 1;
          return inner.reply(request, signal);
        },
      },
      (label) => label.startsWith('r1/'),
      gate.promise,
    );
    await drive(counted, {}, async (run) => {
      await until('the first round is under way', async () =>
        (await run.status()).live.some((label) => label.startsWith('round 1')),
      );
      const set = await setRun(run.ports, run.name, {
        model: { ...NO_CHANGE, model: 'other' },
        parallel: 1,
      });
      assert.deepEqual(set, { model: 'at the next commit', parallel: 'now' });
      assert.equal((await run.record()).controls.parallel, 1);
      gate.resolve();
      await until(
        'the first round is committed',
        async () => ((await run.status()).view?.round ?? 0) > 0,
      );
      most = 0;
      assert.equal(await run.outcome(), 'complete');
      assert.ok(most <= 1, `${most} calls at once`);
      const asked = (prefix: string) =>
        new Set(
          inner.requests.filter(({ label }) => label.startsWith(prefix)).map(({ model }) => model),
        );
      assert.deepEqual([asked('r1/'), asked('r2/')], [new Set(['scripted']), new Set(['other'])]);
    });
  });
});

const NO_CHANGE = {
  ...{ model: undefined, baseUrl: undefined, keyEnv: undefined, price: '0,0' },
  environment: {},
};

async function ended(run: DrivenRun, name: string) {
  const { client } = await temporal();
  await client.workflow.getHandle(workflowIdOf(name)).result();
  return run.product.deps.folders.read(name);
}
