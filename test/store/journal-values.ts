import type { JournalEntry, JournalMarker } from '../../src/domain/journal-entry.ts';
import { refTo } from '../fakes/states.ts';

export const SEED = '5'.repeat(32);

export function aMarker(key: string, changes: Partial<JournalMarker> = {}): JournalMarker {
  return {
    schemaVersion: 1,
    key,
    label: 'r1/write/a.py/t1',
    run: 'toy',
    incarnation: 1,
    worstCost: 0.5,
    startedAt: new Date().toISOString(),
    ended: false,
    ...changes,
  };
}

export function anEntry(key: string, changes: Partial<JournalEntry> = {}): JournalEntry {
  return {
    schemaVersion: 1,
    key,
    label: 'r1/write/a.py/t1',
    run: 'toy',
    incarnation: 1,
    role: 'executor',
    model: 'scripted',
    reply: refTo('reply'),
    usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1, estimated: false },
    cost: 0.1,
    startedAt: '2030-01-01T00:00:00.000Z',
    durationMs: 5,
    ...changes,
  };
}
