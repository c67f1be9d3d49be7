import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { UsageError } from '../../src/domain/errors.ts';
import { planRemoval, settleInBatch } from '../../src/runs/remove-run.ts';
import { randomFrom } from '../fakes/random.ts';
import { aBench, type Bench } from './a-run.ts';
import { aWorld, namesOf, spendAtRandom, waitingForMoney } from './batch-world.ts';

describe('a batch that is driven', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await aBench();
  });
  afterEach(() => bench.end());

  it('never lets its runs spend more than the total, whatever fails on the way', async () => {
    for (let seed = 1; seed <= 5; seed += 1) await spendAtRandom(bench, seed);
  });

  it('stops no other paper when one cannot be followed', async () => {
    const world = await aWorld(bench, 'one-fails', randomFrom(1), 0);
    const ends = await world.drive({
      follow: (run) =>
        run.endsWith('-0') ? Promise.reject(new UsageError('Gone.')) : world.live(run),
    });
    assert.equal(ends.length, 4);
    assert.equal(ends.find(({ run }) => run.endsWith('-0'))?.kind, 'failed');
    assert.ok(world.problems.some((problem) => problem.includes('Gone.')));
  });

  it('hands over money that was granted and not handed over when its driver died', async () => {
    const world = await aWorld(bench, 'not-handed', randomFrom(1), 0);
    const [run = ''] = [...namesOf('not-handed')];
    await world.drive({ follow: async () => ({ kind: 'waiting', status: undefined }) });
    await world.batches.update('not-handed', (batch) => ({
      ...batch,
      entries: batch.entries.map((entry) =>
        entry.run === run ? { ...entry, granted: 6 } : { ...entry, granted: 2, settled: 2 },
      ),
    }));
    await world.drive({
      follow: async (each) =>
        each === run ? waitingForMoney() : { kind: 'waiting', status: undefined },
    });
    assert.equal(world.caps.get(run), 6);
  });

  it('does not begin a paper anew whose run was removed after it had spent its share', async () => {
    const world = await aWorld(bench, 'removed', randomFrom(3), 0);
    await world.drive();
    const [run = ''] = namesOf('removed');
    await rm(bench.ports.folders.pathOf(run), { recursive: true });
    const ends = await world.drive();
    assert.equal(ends.find((end) => end.run === run)?.kind, 'failed');
    assert.ok(world.atMost() <= 12 + 1e-9);
    const entry = (await world.batches.find('removed'))?.entries.find((each) => each.run === run);
    assert.ok((entry?.settled ?? 0) > 0, 'what it spent is not forgotten');
  });

  it('keeps what a run has spent booked when it is removed before its batch knew of its end', async () => {
    const world = await aWorld(bench, 'early', randomFrom(3), 0);
    const [run = ''] = namesOf('early');
    await world.drive({ follow: async () => ({ kind: 'waiting', status: undefined }) });
    await bench.ports.folders.update(run, (record) => ({
      ...record,
      outcome: 'complete',
      account: { ...record.account, spent: 2 },
    }));
    await settleInBatch(world.batches, await planRemoval(bench.ports, run));
    const entry = (await world.batches.find('early'))?.entries.find((each) => each.run === run);
    assert.equal(entry?.settled, 2);
  });

  it('refuses a second driver', async () => {
    const world = await aWorld(bench, 'twice', randomFrom(1), 0);
    const both = await Promise.allSettled([world.drive(), world.drive()]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });
});
