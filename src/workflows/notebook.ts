import type { Purse, Settlement } from '../domain/budget.ts';
import type { Ref } from '../domain/ref.ts';
import type { At } from '../domain/round.ts';
import type { Wait } from '../domain/wait.ts';
import type { FileRetry, ReproduceInput, RunStatus } from './messages.ts';

/** A step that can be cut: what it has paid is booked, and it is started again unless the run ends. */
export interface StepUnderWay {
  /** The activity's type. */
  readonly verb: string;
  readonly cut: () => void;
}

/** The workflow's own state: plain values that its handlers and steps write in, and the query reads. */
export interface Notebook {
  readonly input: ReproduceInput;
  phase: RunStatus['phase'];
  at: At | null;
  blueprint: Ref | null;
  settings: Ref;
  pendingSettings: Ref | null;
  purse: Purse;
  parallel: number;
  retries: readonly FileRetry[];
  calls: number;
  reused: number;
  paused: boolean;
  stopping: boolean;
  /** Stopped before there is a plan: no further model call is made, and those under way are cut. */
  isPlanDropped: boolean;
  approved: Ref | null;
  seenUpdates: string[];
  outcome: RunStatus['outcome'];
  noteSequence: number;
  /** A note to the run folder is being written. */
  isNoting: boolean;
  /** What has been booked of each paid step, by label: activities report their whole cost each time. */
  readonly booked: Map<string, Settlement>;
  /** The loop has ended: nothing new may start. */
  isOver: boolean;
  /** Grows with each `resume` and each change that may end a wait. */
  attempts: number;
  /** Steps under way, by label. */
  readonly live: Set<string>;
  /** What single steps wait for, by label. */
  readonly problems: Map<string, Wait>;
  /** Paid steps whose activity is under way, by label. */
  readonly underWay: Map<string, StepUnderWay>;
  /** The settings that each paid step was asked under, by label. */
  readonly askedUnder: Map<string, readonly Ref[]>;
  /** Steps that wait for money, and how much each needs. */
  readonly unaffordable: Map<string, number>;
}

export function openNotebook(input: ReproduceInput): Notebook {
  return {
    input,
    phase: input.from ? 'rounds' : 'planning',
    at: input.from,
    blueprint: input.from?.blueprint ?? null,
    settings: input.settings,
    pendingSettings: input.pendingSettings,
    // What an earlier life had reserved was settled or is in the journal.
    purse: { ...input.purse, reserved: 0 },
    parallel: input.controls.parallel,
    retries: input.retries ?? [],
    calls: input.calls,
    reused: input.reused,
    paused: input.paused,
    stopping: input.stopping,
    isPlanDropped: false,
    approved: input.approved,
    seenUpdates: [...input.seenUpdates],
    outcome: null,
    noteSequence: input.noteSequence,
    isNoting: false,
    booked: new Map(),
    isOver: false,
    attempts: 0,
    live: new Set(),
    problems: new Map(),
    underWay: new Map(),
    askedUnder: new Map(),
    unaffordable: new Map(),
  };
}
