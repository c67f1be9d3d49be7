import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { forkRun } from '../../src/runs/fork-run.ts';
import { pruneStore } from '../../src/runs/prune-store.ts';
import { planRemoval, removeRun } from '../../src/runs/remove-run.ts';
import { aBench, aStartedRun, CLOSED, type Bench } from './a-run.ts';

const NOW = { isDry: false, nowMs: Date.now() };
const LONG_AGO = new Date(Date.now() - 10 * 24 * 60 * 60 * 1000);
const AS_IT_WAS = {
  ...{ round: undefined, name: undefined, reseed: false, model: undefined, userRequests: [] },
  ...{ budgetUsd: undefined, budgetTokens: undefined, onBudget: undefined, out: null },
  ...{ parallel: undefined, maxOutputTokens: undefined },
};

describe('removing and pruning', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  async function ageAll(): Promise<void> {
    for (const { sha256 } of await bench.keeping.keeper.list())
      await utimes(join(bench.folder, 'store', sha256.slice(0, 2), sha256), LONG_AGO, LONG_AGO);
  }

  it('keeps all that a run leads to, and gives back the rest once it is removed', async () => {
    const { ports, keeping } = bench;
    await aStartedRun(bench, { outcome: 'complete' });
    await ports.store.put('of no run');
    await ageAll();
    const dry = await pruneStore(keeping, { ...NOW, isDry: true });
    assert.equal(dry.removed, 1);
    const first = await pruneStore(keeping, NOW);
    assert.deepEqual([first.removed, first.removedBytes, first.kept], [1, 9, 3]);
    await removeRun(ports, await planRemoval(ports, 'my-paper'));
    assert.deepEqual(await ports.folders.names(), []);
    await ageAll();
    const second = await pruneStore(keeping, NOW);
    assert.deepEqual([second.removed, second.kept], [3, 0]);
  });

  it('keeps for a run that has not ended all that was put since it began', async () => {
    const record = await aStartedRun(bench);
    await bench.ports.folders.update(record.name, (current) => ({
      ...current,
      createdAt: new Date(LONG_AGO.getTime() - 1000).toISOString(),
    }));
    await bench.ports.store.put('known to its workflow alone');
    await ageAll();
    const { removed, tooYoung, openRuns } = await pruneStore(bench.keeping, NOW);
    assert.deepEqual([removed, tooYoung, openRuns], [0, 1, ['my-paper']]);
  });

  it('refuses to remove a run that is under way, and keeps replies that a fork shares', async () => {
    const { ports, engine } = bench;
    const record = await aStartedRun(bench);
    await assert.rejects(planRemoval(ports, 'my-paper'), /under way: `deeprepro cancel my-paper`/);
    engine.run = CLOSED;
    const { record: fork } = await forkRun(ports, 'my-paper', AS_IT_WAS);
    assert.equal(fork.name, 'my-paper-fork');
    assert.deepEqual([fork.seed, fork.account.spent, fork.account.cap], [record.seed, 0, 15]);
    await bench.ports.journal.open(record.seed, aMarker('my-paper'));
    engine.run = CLOSED;
    const removal = await planRemoval(ports, 'my-paper');
    assert.deepEqual(removal.sharedWith, ['my-paper-fork']);
    await removeRun(ports, removal);
    assert.deepEqual(await ports.journal.seeds(), [record.seed]);
    await removeRun(ports, await planRemoval(ports, 'my-paper-fork'));
    assert.deepEqual(await ports.journal.seeds(), []);
  });

  it('says of a round of a run without rounds that there is none yet', async () => {
    await aStartedRun(bench);
    await assert.rejects(
      forkRun(bench.ports, 'my-paper', { ...AS_IT_WAS, round: 2 }),
      /has no committed round yet/,
    );
  });
});

function aMarker(run: string) {
  return {
    ...{ schemaVersion: 1 as const, key: 'a'.repeat(64), label: 'analyse/figures', run },
    ...{ incarnation: 1, worstCost: 0.25, startedAt: '2030-01-01T00:00:00.000Z', ended: false },
  };
}
