import { condition } from '@temporalio/workflow';
import type { NoteInput } from '../activities/inputs.ts';
import { handled } from './all.ts';
import type { Notebook } from './notebook.ts';
import { openProxies } from './steps.ts';
import { waitsOf } from './waits.ts';

/** Keeps the run folder told of waits and steering, so that both can be read without a worker. */
export interface NoteKeeper {
  /** Lets the last note be written. */
  end(): Promise<void>;
}

/** One note after the other, whenever what a person would see has changed; never two at once. */
export function keepNotes(notebook: Notebook): NoteKeeper {
  const { work } = openProxies(notebook.input.controls.heartbeatMs);
  let isEnding = false;
  let written = fingerprint(notebook);
  const keeping = handled(keep());
  return {
    async end() {
      isEnding = true;
      await keeping;
    },
  };

  async function keep(): Promise<void> {
    for (;;) {
      await condition(() => isEnding || fingerprint(notebook) !== written);
      // The report says the rest.
      if (fingerprint(notebook) === written || notebook.isOver) return;
      written = fingerprint(notebook);
      notebook.noteSequence += 1;
      notebook.isNoting = true;
      await work.noteRun(noteOf(notebook));
      notebook.isNoting = false;
    }
  }
}

/** What a note says now. */
export function noteOf(notebook: Notebook): NoteInput {
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
