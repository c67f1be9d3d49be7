import { ActivityFailure, CancellationScope, condition, patched } from '@temporalio/workflow';
import type { NoteInput } from '../activities/inputs.ts';
import { handled } from './all.ts';
import type { Notebook } from './notebook.ts';
import { openProxies } from './proxies.ts';
import { waitsOf } from './waits.ts';

/** Keeps the run folder told of waits and steering, so that both can be read without a worker. */
export interface NoteKeeper {
  /** Whether the run folder has been told all that a note would say. */
  isUpToDate(): boolean;
  /** Lets the last note be written. */
  end(): Promise<void>;
}

/** In histories of earlier versions no note followed a change that passed at once. */
const GOES_ON = 'notes-go-on-after-what-passed';

/** One note after the other, whenever what a person would see has changed; never two at once. */
export function keepNotes(notebook: Notebook): NoteKeeper {
  const { work } = openProxies(notebook.input.controls.heartbeatMs);
  let isEnding = false;
  let told = notebook.input.isToldToWait ? '' : fingerprint(notebook);
  // A cancel must not cut a note: what is told stays whole, and the report says the rest.
  const keeping = handled(CancellationScope.nonCancellable(keep));
  return {
    isUpToDate: () => !notebook.isNoting && told === fingerprint(notebook),
    async end() {
      isEnding = true;
      await keeping;
    },
  };

  async function keep(): Promise<void> {
    for (;;) {
      await condition(() => isEnding || fingerprint(notebook) !== told);
      // The report says the rest.
      if (notebook.isOver) return;
      if (fingerprint(notebook) === told) {
        // What woke us has passed already, as a step's want of money does when another gives some back.
        if (isEnding || !patched(GOES_ON)) return;
        continue;
      }
      told = fingerprint(notebook);
      notebook.noteSequence += 1;
      notebook.isNoting = true;
      await note();
      notebook.isNoting = false;
    }
  }

  async function note(): Promise<void> {
    try {
      await work.noteRun(noteOf(notebook));
    } catch (error) {
      // As a rule a full disk, which the steps wait for as well. A note is for people: it never ends a run.
      if (!(error instanceof ActivityFailure)) throw error;
    }
  }
}

/** What a note says now. */
function noteOf(notebook: Notebook): NoteInput {
  const { input, phase, purse, calls, reused, paused, stopping, blueprint, settings } = notebook;
  return {
    schemaVersion: 1,
    run: input.run,
    incarnation: input.incarnation,
    settings,
    sequence: notebook.noteSequence,
    phase,
    purse,
    calls,
    reused,
    paused,
    stopping,
    blueprint,
    waits: waitsOf(notebook),
  };
}

/** Spend changes with every call and is told by the commits; only what a person must know at once is here. */
function fingerprint(notebook: Notebook): string {
  const { paused, stopping, purse, settings } = notebook;
  const waits = waitsOf(notebook).map(({ kind, step }) => `${kind} ${step}`);
  return JSON.stringify([paused, stopping, purse.cap, settings.sha256, waits]);
}
