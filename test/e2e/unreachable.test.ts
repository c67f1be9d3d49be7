import assert from 'node:assert/strict';
import { NeedsPerson, RetryLater } from '../../src/domain/errors.ts';
import type { ModelChange } from '../../src/runs/change-model.ts';
import { resumeRun } from '../../src/runs/resume-run.ts';
import { setRun } from '../../src/runs/set-run.ts';
import { deferred } from '../fakes/deferred.ts';
import { drive, heldModel, planModel, SMALL_PLAN, until, type DrivenRun } from './driven-run.ts';

const RIGHT = 'http://127.0.0.1:9998/v1';
const FIRST_ROUND = SMALL_PLAN.filter(({ needs }) => needs.length === 0).length;
const PRICE = { input: 10, cached: 10, output: 20 };

const CHANGE: ModelChange = {
  model: undefined,
  baseUrl: RIGHT,
  keyEnv: undefined,
  price: undefined,
  environment: {},
};

/** Refuses calls whose labels are chosen, until another base URL is asked. */
function unreachableFor(isFailing: (label: string) => boolean) {
  return planModel(({ label, endpoint }) =>
    endpoint.baseUrl !== RIGHT && isFailing(label)
      ? new RetryLater('It cannot be reached.', { isUnreachable: true })
      : undefined,
  );
}

/** Waits until the server tries `steps` steps of a type again. */
function tried(run: DrivenRun, type: string, steps: number): Promise<unknown> {
  return until(`${type} is tried again`, async () => {
    const { pending = [] } = (await run.engine.describe(run.name)) ?? {};
    const again = pending.filter(({ name, attempt }) => name === type && attempt > 1);
    return again.length === steps && again.every(({ lastFailure }) => lastFailure !== '');
  });
}

async function assertBookedAsJournaled(run: DrivenRun): Promise<void> {
  const { account, seed } = await run.record();
  const totals = await run.product.deps.journal.totals(seed, run.name);
  assert.ok(
    Math.abs(account.spent - totals.spent - totals.maybePaid) < 1e-9,
    `${account.spent} is told, ${totals.spent} and ${totals.maybePaid} were spent`,
  );
  assert.equal(account.calls, totals.calls + totals.maybePaidCalls);
}

describe('a run whose endpoint cannot be reached', () => {
  it('while planning is asked elsewhere at once, and what was answered is not asked again', async () => {
    const model = unreachableFor(
      (label) =>
        (label.startsWith('requirements/') && !/code/.test(label)) ||
        label.startsWith('analyse/figures'),
    );
    await drive(model, { price: PRICE, controls: { callAllowance: 0.2 } }, async (run) => {
      await tried(run, 'analyseFigures', 1);
      await tried(run, 'extractRequirements', 1);
      assert.equal(
        (await setRun(run.ports, run.name, { model: CHANGE, parallel: undefined })).model,
        'now',
      );
      assert.equal(await run.outcome(), 'complete');
      const answered = (await run.product.deps.journal.entries((await run.record()).seed)).map(
        ({ label }) => label,
      );
      assert.equal(new Set(answered).size, answered.length);
      await assertBookedAsJournaled(run);
    });
  });

  it('in a round is asked elsewhere at once, as resume says', async () => {
    const model = unreachableFor((label) => label.startsWith('r1/write/'));
    await drive(model, {}, async (run) => {
      await tried(run, 'takeTurn', FIRST_ROUND);
      const resumed = await resumeRun(run.ports, run.name, { model: CHANGE, cap: undefined });
      assert.deepEqual(resumed, { name: run.name, how: 'signalled', model: 'now' });
      assert.equal(await run.outcome(), 'complete');
    });
  });

  it('goes on under settings that came before the call was given up', async () => {
    let isGivenUp = false;
    const gate = deferred();
    const asked = planModel(({ label, endpoint }) => {
      if (endpoint.baseUrl === RIGHT || !label.startsWith('r1/write/')) return undefined;
      isGivenUp = true;
      return new NeedsPerson('network', 'It cannot be reached.', 'Check the network.');
    });
    const model = heldModel(asked, (label) => label.startsWith('r1/write/'), gate.promise);
    await drive(model, {}, async (run) => {
      await until(
        'round 1 is written',
        async () => (await run.status()).live.length === FIRST_ROUND,
      );
      const { model: when } = await setRun(run.ports, run.name, {
        model: CHANGE,
        parallel: undefined,
      });
      assert.equal(when, 'at the next commit');
      gate.resolve();
      assert.equal(await run.outcome(), 'complete');
      assert.ok(isGivenUp);
    });
  });

  it('is stopped while planning, and goes on when it is resumed', async () => {
    const model = unreachableFor((label) => label.startsWith('analyse/'));
    await drive(model, {}, async (run) => {
      await tried(run, 'analyseFigures', 1);
      await run.engine.stop(run.name);
      assert.equal(await run.outcome(), 'stopped');
      const { outcome, report } = await run.record();
      assert.equal(outcome, 'stopped');
      assert.ok(report);
      const resumed = await resumeRun(run.ports, run.name, { model: CHANGE, cap: undefined });
      assert.equal(resumed.how, 'restarted');
      assert.equal(await run.outcome(), 'complete');
      await assertBookedAsJournaled(run);
    });
  });
});

describe('a run that plans', () => {
  it('is stopped while its calls are answering, and pays no further one', async () => {
    const model = planModel();
    const held = heldModel(
      model,
      (label) => label.startsWith('analyse/concepts'),
      new Promise(() => undefined),
    );
    await drive(held, {}, async (run) => {
      await until('one call is left', async () => {
        const { live } = await run.status();
        return live.length === 1 && live[0] === 'analyse concepts';
      });
      await run.engine.stop(run.name);
      assert.equal(await run.outcome(), 'stopped');
      assert.ok(!model.requests.some(({ label }) => label.startsWith('plan/')));
      assert.equal((await run.record()).outcome, 'stopped');
      await assertBookedAsJournaled(run);
    });
  });

  it('asks another model from the next step on, when nothing fails', async () => {
    const gate = deferred();
    const model = planModel();
    const held = heldModel(model, (label) => label.startsWith('analyse/concepts'), gate.promise);
    await drive(held, {}, async (run) => {
      await until(
        'one call is left',
        async () => (await run.status()).live.join() === 'analyse concepts',
      );
      const { model: when } = await setRun(run.ports, run.name, {
        model: CHANGE,
        parallel: undefined,
      });
      assert.equal(when, 'from the next step on');
      gate.resolve();
      assert.equal(await run.outcome(), 'complete');
      const urls = (start: string) =>
        new Set(
          model.requests.flatMap(({ label, endpoint }) =>
            label.startsWith(start) ? endpoint.baseUrl : [],
          ),
        );
      assert.ok(!urls('analyse/').has(RIGHT));
      assert.deepEqual(urls('plan/'), new Set([RIGHT]));
    });
  });
});
