import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { Purse, Unit } from '../domain/budget.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Ref } from '../domain/ref.ts';
import type { At, View } from '../domain/round.ts';
import type { Wait } from '../domain/wait.ts';

/** The workflow's type name: what client and worker must agree on. */
export const WORKFLOW_TYPE = 'reproduce';

/** The workflow's id for a run's name. */
export function workflowIdOf(run: string): string {
  return `deeprepro/${run}`;
}

/** How a run is driven; unlike its settings, none of this changes what any model is asked. */
export interface Controls {
  /** How rounds are planned; absent in runs of earlier versions, which are fast. */
  readonly mode?: 'fast' | 'deepplan';
  /** When requirements are verified; absent for never. */
  readonly verify?: 'gate' | 'rounds';
  /** Model calls of this run under way at once. */
  readonly parallel: number;
  /** Whether the blueprint waits for a person's approval. */
  readonly review: boolean;
  readonly onBudget: 'wait' | 'stop';
  readonly unit: Unit;
  readonly maxTurns: number;
  /** First guess of what one model call may cost at worst, in the unit; the activity corrects it. */
  readonly callAllowance: number;
  /** After this long without a heartbeat an activity is tried again elsewhere. */
  readonly heartbeatMs: number;
  /** Continue as new after this many rounds, or null to leave it to the server's suggestion. */
  readonly continueEvery: number | null;
}

/** The workflow's one argument; also what continue-as-new carries. References and small values only. */
export interface ReproduceInput {
  readonly schemaVersion: 1;
  readonly run: string;
  /** How many times this run was started from its folder; settles who paid for a call. */
  readonly incarnation: number;
  readonly settings: Ref;
  readonly controls: Controls;
  readonly purse: Purse;
  readonly from: At | null;
  /** Number of the last note written to the run folder. */
  readonly noteSequence: number;
  readonly paused: boolean;
  readonly stopping: boolean;
  /** Blueprint approved by a person, so that a restart does not ask again. */
  readonly approved: Ref | null;
  /** New settings waiting for the next commit. */
  readonly pendingSettings: Ref | null;
  readonly seenUpdates: readonly string[];
  readonly calls: number;
  readonly reused: number;
  /** The run folder says that the run waits. */
  readonly isToldToWait: boolean;
  /** Repairs granted by a person and not yet folded into the state; absent for none. */
  readonly retries?: readonly FileRetry[];
}

/** A person gives a file one more repair. */
export interface FileRetry {
  readonly id: string;
  readonly path: string;
}

/** What the workflow returns. */
export interface ReproduceResult {
  readonly outcome: Outcome;
}

/** The answer of the query `status`. */
export interface RunStatus {
  readonly schemaVersion: 1;
  readonly phase: 'planning' | 'approval' | 'rounds' | 'report' | 'ended';
  readonly view: View | null;
  readonly stateRef: Ref | null;
  readonly blueprint: Ref | null;
  readonly purse: Purse;
  readonly calls: number;
  readonly reused: number;
  readonly paused: boolean;
  readonly stopping: boolean;
  readonly waits: readonly Wait[];
  /** Labels of the steps under way. */
  readonly live: readonly string[];
  readonly outcome: Outcome | null;
  /** The newest settings, also those that wait for the next commit; workers of older versions do not say. */
  readonly newestSettings?: Ref;
}

export const statusQuery = defineQuery<RunStatus>('status');

export const pauseSignal = defineSignal('pause');
/** Tries again what waits; lifts a person's pause only when asked for this run by name. */
export const resumeSignal = defineSignal<[{ readonly liftPause: boolean }]>('resume');
/** Ends the run after this round; before there is a plan, at once. */
export const stopSignal = defineSignal('stop');

/** `id` is made by the client: a repeated update changes nothing. */
export interface Approval {
  readonly id: string;
  /** The SHA-256 of the blueprint that the person has read. */
  readonly expected: string;
  /** A blueprint edited by the person, stored and checked by the client's command, or null. */
  readonly amendment: Ref | null;
}
export const approveBlueprintUpdate = defineUpdate<string, [Approval]>('approveBlueprint');
export const setBudgetUpdate = defineUpdate<
  number | null,
  [{ readonly id: string; readonly cap: number | null }]
>('setBudget');
/** New settings (other models), as a person chose them. */
export interface ModelUpdate {
  readonly id: string;
  readonly settings: Ref;
  /** Types of activities that Temporal is trying again, which the workflow itself cannot see; absent for none. */
  readonly failing?: readonly string[];
}
/**
 * From the next commit on; at once where a call waits on its model or is tried again and again; before the first round
 * from the next step on. Answers when, in these words.
 */
export const setModelUpdate = defineUpdate<string, [ModelUpdate]>('setModel');
/** How many calls may be under way at once, from now on. */
export const setParallelUpdate = defineUpdate<
  number,
  [{ readonly id: string; readonly parallel: number }]
>('setParallel');
/** From the next commit on; refused once the run is at its report. */
export const retryFileUpdate = defineUpdate<string, [FileRetry]>('retryFile');
