import assert from 'node:assert/strict';
import { readRound } from '../../src/runs/read-rounds.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';
import { commitRound } from './committed-rounds.ts';
import { loseCall } from './lost-call.ts';

describe('a round as it is read later', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('counts what a subplan amended to its own round, not to the planning', async () => {
    await aStartedRun(bench);
    await commitRound(bench, { 'README.md': '# Toy' });
    const { createdAt } = await bench.ports.folders.read('my-paper');
    const at = (seconds: number) => new Date(Date.parse(createdAt) + seconds * 1_000).toISOString();
    const fact = { subject: '', text: '', ref: null };
    const events = [
      { id: 'a', at: at(10), kind: 'blueprint-drafted', round: 0, ...fact },
      { id: 'b', at: at(12), kind: 'blueprint-amended', round: 1, ...fact },
      { id: 'c', at: at(20), kind: 'round-committed', round: 1, ...fact },
    ] as const;
    for (const event of events) await bench.ports.folders.append('my-paper', event);
    const times = [0, 1].map(async (round) => readRound(bench.ports, 'my-paper', round));
    assert.deepEqual(
      (await Promise.all(times)).map(({ report }) => report.durationMs),
      [10_000, 10_000],
    );
  });

  it('counts calls whose end nobody saw, as the account of the run does', async () => {
    const { seed } = await aStartedRun(bench);
    await commitRound(bench, { 'README.md': '# Toy' });
    await loseCall(bench, seed, 'my-paper');
    const { spent, maybePaid, calls } = (await readRound(bench.ports, 'my-paper', 1)).report;
    assert.deepEqual([spent, maybePaid, calls], [0.25, 0.25, 1]);
  });
});
