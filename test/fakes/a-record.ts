import type { RunRecord } from '../../src/domain/run-record.ts';
import { refTo } from './states.ts';

/** The record of a run that has just been made. */
export function aRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    schemaVersion: 1,
    name: 'toy',
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
    paper: 'paper.md',
    seed: '0'.repeat(32),
    settings: refTo('settings'),
    controls: {
      parallel: 8,
      review: false,
      onBudget: 'wait',
      unit: 'usd',
      maxTurns: 3,
      callAllowance: 0,
      heartbeatMs: 3_000,
      continueEvery: null,
    },
    temporal: { address: 'local', namespace: 'default', taskQueue: 'deeprepro' },
    out: null,
    incarnation: 1,
    head: null,
    sequence: 0,
    phase: 'planning',
    blueprint: null,
    account: { unit: 'usd', cap: 15, spent: 0, maybePaid: 0, calls: 0, reused: 0 },
    paused: false,
    stopping: false,
    waits: [],
    outcome: null,
    failure: '',
    report: null,
    ...changes,
  };
}
