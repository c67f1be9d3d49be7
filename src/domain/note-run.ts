import type { RunRecord } from './run-record.ts';

/** What a committed round changes in the record; an older commit never replaces a newer one. */
export function withHead(
  record: RunRecord,
  incarnation: number,
  head: NonNullable<RunRecord['head']>,
  account: RunRecord['account'],
  updatedAt: string,
): RunRecord {
  if (incarnation < record.incarnation) return record;
  if (record.head && record.head.view.commits >= head.view.commits) return record;
  const blueprint = head.blueprint;
  return { ...record, head, blueprint, account, phase: 'rounds', updatedAt };
}

/** The plan of a run, as drafted or as a person amended it, from before its first round. */
export function withPlan(
  record: RunRecord,
  incarnation: number,
  blueprint: NonNullable<RunRecord['blueprint']>,
  updatedAt: string,
): RunRecord {
  if (incarnation < record.incarnation || record.head || record.outcome !== null) return record;
  return { ...record, blueprint, updatedAt };
}

/** What the workflow says of itself. */
export type RunNote = Pick<
  RunRecord,
  'sequence' | 'phase' | 'account' | 'paused' | 'stopping' | 'waits' | 'settings'
> & { readonly incarnation: number; readonly blueprint: RunRecord['blueprint'] };

/** Applies a note unless a newer one, a newer life, or this life's end has been told already. */
export function withNote(record: RunRecord, note: RunNote, updatedAt: string): RunRecord {
  if (note.incarnation < record.incarnation) return record;
  if (record.outcome !== null || note.sequence <= record.sequence) return record;
  return { ...record, ...note, blueprint: note.blueprint ?? record.blueprint, updatedAt };
}

/** The end of a life of the run. */
export type RunEnd = Pick<RunRecord, 'outcome' | 'failure' | 'report' | 'account' | 'sequence'> & {
  readonly incarnation: number;
};

export function withEnd(record: RunRecord, end: RunEnd, updatedAt: string): RunRecord {
  if (end.incarnation < record.incarnation) return record;
  return {
    ...record,
    ...end,
    phase: 'ended',
    waits: [],
    paused: false,
    stopping: false,
    updatedAt,
  };
}
