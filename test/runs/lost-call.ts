import assert from 'node:assert/strict';
import type { Bench } from './a-run.ts';

/** Leaves a call of a run in the journal whose end nobody saw; it may have cost 0.25. */
export async function loseCall(
  { ports: { journal } }: Bench,
  seed: string,
  run: string,
): Promise<void> {
  const opening = await journal.open(seed, {
    ...{ schemaVersion: 1, key: 'ab'.repeat(32), label: 'analyse/concepts', run, incarnation: 1 },
    ...{ worstCost: 0.25, startedAt: '2026-01-01T00:00:00.000Z', ended: false },
  });
  assert.ok(opening.kind === 'open');
  await opening.call.abandon({ maybePaid: true });
}
