import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { NeedsPerson, RetryLater } from '../../src/domain/errors.ts';
import { RunSettings } from '../../src/domain/run-settings.ts';
import { getJson, getText, putJson } from '../../src/store/stored-json.ts';
import { randomFrom } from '../fakes/random.ts';
import type { Product } from '../fakes/product.ts';
import { drive, planModel, SMALL_PLAN, until, type DrivenRun } from './driven-run.ts';

const PATHS = SMALL_PLAN.map(({ path }) => path).sort();
/** Files that can be written at once. */
const FIRST_ROUND = SMALL_PLAN.filter(({ needs }) => needs.length === 0).length;
const MODULE = 'src/part_01.py';
const PRICE_OF_ONE = { input: 1, cached: 1, output: 1 };
const PRICE = { input: 10, cached: 10, output: 20 };

describe('a run that waits', () => {
  it('for a key says so in status and record, and resume tries again', async () => {
    let isKeyRight = false;
    const model = planModel(({ label }) =>
      label.startsWith('r1/') && !isKeyRight
        ? new NeedsPerson('key', 'The key was refused.', 'Set OPENAI_API_KEY.')
        : undefined,
    );
    await drive(model, {}, async (run) => {
      const waits = await until('the run folder says that it waits', async () => {
        const record = await run.record();
        return record.waits.length === FIRST_ROUND && record.waits;
      });
      assert.deepEqual(new Set(waits.map(({ kind }) => kind)), new Set(['key']));
      assert.match(waits[0]?.step ?? '', /^round 1: write /);
      const { waits: live } = await run.status();
      assert.equal(live[0]?.remedy, 'Set OPENAI_API_KEY.');
      // Still wrong: it waits again.
      const asked = model.requests.length;
      await run.resume();
      await until('it has tried again', () =>
        Promise.resolve(model.requests.length === asked + FIRST_ROUND),
      );
      await until('it waits again', async () => (await run.status()).waits.length === FIRST_ROUND);
      isKeyRight = true;
      await run.resume();
      assert.equal(await run.outcome(), 'complete');
      const ended = await run.record();
      assert.deepEqual(ended.waits, []);
      assert.equal(ended.account.maybePaid, 0);
    });
  });

  it('for a key can be stopped', async () => {
    const model = planModel(({ label }) =>
      label.startsWith('r1/') ? new NeedsPerson('key', 'No.', 'Set it.') : undefined,
    );
    await drive(model, {}, async (run) => {
      await until('it waits', async () => (await run.status()).waits.length === FIRST_ROUND);
      await run.engine.stop(run.name);
      assert.equal(await run.outcome(), 'stopped');
    });
  });

  it('on its model takes another at once, and asks it', async () => {
    const model = planModel((request) =>
      request.label.startsWith('r1/') && request.model === 'scripted'
        ? new NeedsPerson('model', 'There is no such model.', 'Choose another.')
        : undefined,
    );
    await drive(model, {}, async (run) => {
      const { store } = run.product.deps;
      await until('it waits', async () => (await run.status()).waits.length === FIRST_ROUND);
      const settings = await getJson(store, RunSettings, (await run.record()).settings);
      const models = Object.fromEntries(
        Object.entries(settings.models).map(([role, choice]) => [
          role,
          { ...choice, model: 'other' },
        ]),
      );
      const other = await putJson(store, { ...settings, models });
      const update = { id: randomUUID(), settings: other };
      assert.equal(await run.engine.setModel(run.name, update), 'now');
      // Sent again by a client that lost the answer.
      assert.equal(await run.engine.setModel(run.name, update), 'now');
      assert.equal(await run.outcome(), 'complete');
      assert.deepEqual((await run.record()).settings, other);
      const late = model.requests.filter(({ label }) => label.startsWith('r2/'));
      assert.deepEqual(new Set(late.map((request) => request.model)), new Set(['other']));
    });
  });

  it('for money says which cap is needed, and goes on when the cap is set', async () => {
    const model = planModel();
    const wish = { price: PRICE, cap: 0.05, controls: { callAllowance: 0.2, parallel: 2 } };
    await drive(model, wish, async (run) => {
      const [wait] = await until('it waits for money', async () => {
        const { waits } = await run.record();
        return waits.some(({ kind }) => kind === 'budget') && waits;
      });
      assert.equal(model.requests.length, 0);
      const needed = Number(/budget \S+ ([\d.]+)/.exec(wait?.remedy ?? '')?.[1]);
      assert.ok(needed > 0.05 && needed < 1, wait?.remedy);
      await run.engine.setBudget(run.name, { id: randomUUID(), cap: needed });
      await until('it makes a call', () => Promise.resolve(model.requests.length > 0));
      await run.engine.setBudget(run.name, { id: randomUUID(), cap: 20 });
      assert.equal(await run.outcome(), 'complete');
      assert.equal((await run.record()).account.cap, 20);
    });
  });

  it('for money is told in its folder, though the same step had waited for its turn before', async () => {
    // What the analyses hold leaves nothing for the requirements; what they leave then is still too little.
    const wish = { price: PRICE_OF_ONE, cap: 0.09, controls: { callAllowance: 0.03 } };
    await drive(planModel(), wish, async (run) => {
      const [wait] = await until('the folder tells it', async () => {
        const { waits } = await run.record();
        return waits.length > 0 && waits;
      });
      assert.equal(wait?.kind, 'budget');
      assert.equal(wait?.step, 'extract requirements');
    });
  });

  it('for money ends as out of budget where it was told to, and is resumed with a higher cap', async () => {
    const wish = {
      price: PRICE,
      cap: 0.9,
      controls: { callAllowance: 0.2, onBudget: 'stop' as const },
    };
    const usage = { inputTokens: 2_000, cachedTokens: 0, outputTokens: 2_000, estimated: false };
    const inner = planModel();
    const model = {
      ...inner,
      reply: async (...[request, signal]: Parameters<typeof inner.reply>) => ({
        ...(await inner.reply(request, signal)),
        usage,
      }),
    };
    await drive(model, wish, async (run) => {
      assert.equal(await run.outcome(), 'out-of-budget');
      const { account } = await run.record();
      assert.ok(account.spent <= 0.9);
      await run.product.deps.folders.update(run.name, (record) => ({
        ...record,
        account: { ...record.account, cap: null },
      }));
      assert.equal(await run.resume(), 'restarted');
      assert.equal(await run.outcome(), 'complete');
      assert.ok([...inner.callsByLabel.values()].every((count) => count === 1));
      assert.equal((await run.record()).account.calls, inner.requests.length);
    });
  });

  it('for space on the disk, in a commit and in its report, is not ended by notes that fail too', async () => {
    let isFull = true;
    const refuse = () => {
      if (isFull) throw new NeedsPerson('disk', 'The disk is full.', 'Free some space on it.');
    };
    const prepare = (product: Product) => {
      const { folders, store } = product.deps;
      const update: typeof folders.update = async (name, change) => {
        const { head } = await folders.read(name);
        if (head?.view.round === 1) refuse();
        return folders.update(name, change);
      };
      const put: typeof store.put = async (content) => {
        if (typeof content === 'string' && content.includes('**Outcome:')) refuse();
        return store.put(content);
      };
      return product.startWorker({
        ...product.deps,
        folders: { ...folders, update },
        store: { ...store, put },
      });
    };
    const waitsForDisk = (run: DrivenRun, step: RegExp) =>
      until(`${step.source} waits`, async () =>
        (await run.status()).waits.some((wait) => wait.kind === 'disk' && step.test(wait.step)),
      );
    const test = async (run: DrivenRun) => {
      await waitsForDisk(run, /^commit/);
      isFull = false;
      await run.resume();
      await until(
        'round 2 is committed',
        async () => ((await run.record()).head?.view.round ?? 0) > 1,
      );
      isFull = true;
      await waitsForDisk(run, /^write report/);
      isFull = false;
      await run.resume();
      assert.equal(await run.outcome(), 'complete');
      assert.deepEqual((await run.record()).waits, []);
    };
    await drive(planModel(), {}, test, prepare);
  });

  it('never spends or reserves more than its cap, whatever the calls cost', async () => {
    const random = randomFrom(7);
    const model = planModel();
    const costly = {
      async reply(...[request, signal]: Parameters<typeof model.reply>) {
        const reply = await model.reply(request, signal);
        const usage = {
          inputTokens: random.below(3_000),
          cachedTokens: 0,
          outputTokens: random.below(8_000),
          estimated: false,
        };
        return { ...reply, usage };
      },
    };
    const wish = { price: PRICE, cap: 1.2, controls: { callAllowance: 0.3, parallel: 8 } };
    await drive(costly, wish, async (run) => {
      let raised = 1.2;
      await until('it ends, with its cap raised when it waits', async () => {
        const { purse, waits, outcome } = await run.status();
        assert.ok(purse.spent + purse.reserved <= (purse.cap ?? 0) + 1e-6, JSON.stringify(purse));
        if (waits.some(({ kind }) => kind === 'budget')) {
          raised += 0.4;
          await run.engine.setBudget(run.name, { id: randomUUID(), cap: raised });
        }
        return outcome !== null;
      });
      const { account } = await run.record();
      const { spent } = await run.product.deps.journal.totals((await run.record()).seed, run.name);
      assert.ok(Math.abs(account.spent - spent) < 1e-9);
    });
  });
});

describe('a run whose model misbehaves', () => {
  it('tries again what may succeed later, without a word to anybody', async () => {
    const failed = new Set<string>();
    const model = planModel(({ label }) => {
      if (failed.has(label) || !/^analyse|^r1/.test(label)) return undefined;
      failed.add(label);
      return new RetryLater('Too many requests.', { retryAfterMs: 1 });
    });
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'complete');
      const { account } = await run.record();
      assert.equal(account.calls, model.requests.length - failed.size);
      assert.equal(account.maybePaid, 0);
      const events = await run.product.deps.folders.events(run.name);
      assert.ok(!events.some(({ kind }) => kind === 'wait-began'));
    });
  });

  it('counts a call that was cut and may have been paid, and asks again', async () => {
    let isCut = false;
    const model = planModel(({ label }) => {
      if (isCut || !label.startsWith('r1/')) return undefined;
      isCut = true;
      return new RetryLater('The connection broke.', { maybePaid: true, retryAfterMs: 1 });
    });
    await drive(model, { price: PRICE, controls: { callAllowance: 0.2 } }, async (run) => {
      assert.equal(await run.outcome(), 'complete');
      const { account, seed } = await run.record();
      const totals = await run.product.deps.journal.totals(seed, run.name);
      assert.equal(totals.maybePaidCalls, 1);
      assert.ok(Math.abs(account.maybePaid - totals.maybePaid) < 1e-9);
      assert.ok(Math.abs(account.spent - totals.spent - totals.maybePaid) < 1e-9);
    });
  });

  it('fails on a paper that cannot be read, and says why', async () => {
    await drive(planModel(), { paper: '\u0000\u0001' }, async (run) => {
      assert.equal(await run.outcome(), 'failed');
      const { failure, report } = await run.record();
      assert.notEqual(failure, '');
      assert.ok(report);
      await assert.rejects(run.resume(), /has failed and cannot go on/);
    });
  });

  it('fails on a plan without files, and says what the tries cost', async () => {
    const model = planModel(({ label }) =>
      label.startsWith('plan/files') ? 'I would rather not.\n@done' : undefined,
    );
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'failed');
      const { failure, account } = await run.record();
      assert.match(failure, /no usable list of files/);
      assert.equal(account.calls, model.requests.length);
    });
  });

  it('ends with gaps when one file is never written, and writes all the others', async () => {
    const model = planModel(({ label }) =>
      label.includes(`/write/${MODULE}/`) ? 'Here is some prose instead.' : undefined,
    );
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'complete-with-gaps');
      const state = await run.product.stateOf(run.name);
      assert.deepEqual(
        Object.keys(state.tree).sort(),
        PATHS.filter((path) => path !== MODULE),
      );
      const open = state.findings.filter(({ resolvedInRound }) => resolvedInRound === null);
      assert.ok(open.some(({ kind, path }) => kind === 'missing' && path === MODULE));
      const { report } = await run.record();
      assert.ok(report);
      assert.match(await getText(run.product.deps.store, report), /part_01\.py` \| broken/);
    });
  });

  it('repairs a file that uses a name which is not there', async () => {
    const target = 'src/part_02.py';
    const model = planModel(({ label }) =>
      label.startsWith(`r2/write/${target}/`)
        ? wroteFile(
            target,
            'from src.part_01 import nothing_like_it\n\n\ndef part_02(x: float) -> float:\n    return nothing_like_it(x)',
          )
        : undefined,
    );
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'complete');
      const state = await run.product.stateOf(run.name);
      assert.equal(state.progress[target]?.repairs, 1);
      const [finding] = state.findings.filter(({ path }) => path === target);
      assert.equal(finding?.kind, 'unresolved-name');
      assert.ok(finding.resolvedInRound !== null);
    });
  });

  it('refuses hollow and cut files, shows why, and takes the rewritten one', async () => {
    const hollow = wroteFile(MODULE, 'def part_01(x: float) -> float:\n    pass');
    const model = planModel(({ label }) => {
      if (label.startsWith(`r1/write/${MODULE}/t1`)) return hollow;
      if (label.startsWith(`r1/write/${MODULE}/t2`))
        return { text: `@write ${MODULE}\n\`\`\`\`\ndef part_01(x`, finish: 'length' };
      return undefined;
    });
    await drive(model, {}, async (run) => {
      assert.equal(await run.outcome(), 'complete');
      const turns = model.requests.filter(({ label }) => label.startsWith(`r1/write/${MODULE}/`));
      assert.equal(turns.length, 3);
      assert.match(turns[1]?.messages.at(-1)?.content ?? '', /part_01.*does nothing/);
      assert.match(turns[2]?.messages.at(-1)?.content ?? '', /cut-off/);
      const state = await run.product.stateOf(run.name);
      assert.equal(state.progress[MODULE]?.repairs, 0);
    });
  });
});

function wroteFile(path: string, content: string): string {
  return `@write ${path}\n\`\`\`\`\n${content}\n\`\`\`\`\n@met\nR1: ${path}\n@doubts\n- none\n@done`;
}
