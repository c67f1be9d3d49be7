import type { PaidReply, RunFacts } from '../../src/domain/run-facts.ts';
import { aRecord } from './a-record.ts';
import { aBlueprint } from './builders.ts';
import { aState } from './states.ts';

/** What is known of a small run that has ended. */
export function someFacts(changes: Partial<RunFacts> = {}): RunFacts {
  return {
    run: 'toy',
    mode: 'fast',
    paper: 'paper.md',
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:03:20.000Z',
    outcome: 'complete',
    later: null,
    failure: '',
    state: aState({ round: 3 }),
    blueprint: aBlueprint(),
    statuses: new Map([['run_tasks.py', 'written']]),
    rounds: [],
    account: aRecord().account,
    replies: [],
    lost: [],
    doubts: [],
    notices: [],
    models: [{ role: 'executor', model: 'scripted' }],
    ...changes,
  };
}

/** A reply that was paid for. */
export function aPaidReply(changes: Partial<PaidReply> = {}): PaidReply {
  return {
    label: 'r1/write/run_tasks.py/t1',
    role: 'executor',
    model: 'scripted',
    usage: { inputTokens: 1000, cachedTokens: 400, outputTokens: 50, estimated: false },
    cost: 0.25,
    startedAt: '2030-01-01T00:01:00.000Z',
    durationMs: 5_000,
    ...changes,
  };
}
