import { withNote } from '../domain/note-run.ts';
import { waitsIn } from '../domain/wait.ts';
import { accountOf } from './account.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { NoteInput } from './inputs.ts';
import { say } from './say.ts';

/** Tells the run folder what the run waits for and how it is steered, so that it can be read without a worker. */
export function noteRun(deps: Deps) {
  return unpaid(NoteInput, async (note) => {
    const at = deps.now().toISOString();
    const { incarnation, sequence, phase, paused, stopping, waits, settings, blueprint } = note;
    const account = accountOf(note);
    const { batch } = await deps.folders.update(note.run, (record) =>
      withNote(
        record,
        { incarnation, sequence, phase, paused, stopping, waits, settings, blueprint, account },
        at,
      ),
    );
    for (const { kind, step, message, remedy } of waitsIn(batch, waits)) {
      const subject = `${kind} ${step} ${incarnation}.${sequence}`;
      const text = `Waits: ${message} ${remedy}`;
      await say(deps, note.run, { kind: 'wait-began', round: 0, subject, text, ref: null });
    }
  });
}
