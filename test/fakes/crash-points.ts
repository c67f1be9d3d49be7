import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import type { Deps } from '../../src/activities/deps.ts';
import type { Journal, OpenCall } from '../../src/store/journal.ts';

/**
 * Places at which a process can be made to die:
 * `before-call` a model is about to be asked, the journal has its marker ·
 * `reply-received` the reply is here, and not on disk ·
 * `marker-left` its entry is on disk, and so is still the marker of the call ·
 * `journaled` the activity has not completed ·
 * `store` an activity is about to store a value: those before it have completed and been reported ·
 * `stored` it has: where nothing is told, the activity is done and has not completed ·
 * `continued` the same in a workflow that continued as new ·
 * `update` all is stored, the run's record is about to be changed · `updated` it is changed ·
 * `told` a fact is told, the last thing that many activities do ·
 * `told-late` the same, and then a moment for the workflow's own task.
 */
export const CrashPoint = z.enum([
  'before-call',
  'reply-received',
  'marker-left',
  'journaled',
  'store',
  'stored',
  'continued',
  'update',
  'updated',
  'told',
  'told-late',
]);
export type CrashPoint = z.infer<typeof CrashPoint>;

/** From which passing on a point in an activity is deadly, counted from 1 in each process; it is so once in all. */
export const Crash = z.object({ point: CrashPoint, activity: z.string(), pass: z.int().min(1) });
export type Crash = z.infer<typeof Crash>;

/** All that a run's own activities kill: the worker that does them, or the server. */
export const CrashPlan = z.object({
  run: z.string(),
  target: z.enum(['worker', 'server']),
  crashes: z.array(Crash),
});
export type CrashPlan = z.infer<typeof CrashPlan>;

/** The file that says that a crash has happened. */
export function nameOf({ run }: Pick<CrashPlan, 'run'>, { point, activity, pass }: Crash): string {
  return `${run}-${point}-${activity}-${pass}`;
}

/** Long enough that the workflow's next task is under way when it is over. */
const LATE_MS = 20;

/** Counts the passing of a point; where it is deadly, returns how to die there. */
export type Pass = (point: CrashPoint, activity: string) => (() => void) | undefined;

/** Deps that die where `pass` says so. */
export function withCrashPoints(deps: Deps, home: string, pass: Pass): Deps {
  const { store, folders, model } = deps;
  const at = (point: CrashPoint) => pass(point, activityName())?.();
  return {
    ...deps,
    journal: withJournalPoints(deps.journal, home, pass),
    store: {
      ...store,
      async put(content) {
        if (isContinued(home)) at('continued');
        at('store');
        const ref = await store.put(content);
        at('stored');
        return ref;
      },
    },
    folders: {
      ...folders,
      async update(name, change) {
        at('update');
        const record = await folders.update(name, change);
        at('updated');
        return record;
      },
      async append(name, event) {
        await folders.append(name, event);
        at('told');
        const die = pass('told-late', activityName());
        if (die) setTimeout(die, LATE_MS);
      },
    },
    model: {
      async reply(request, signal, onProgress) {
        at('before-call');
        const reply = await model.reply(request, signal, onProgress);
        at('reply-received');
        return reply;
      },
    },
  };
}

function withJournalPoints(journal: Journal, home: string, pass: Pass): Journal {
  return {
    ...journal,
    async open(seed, marker) {
      const opening = await journal.open(seed, marker);
      if (opening.kind !== 'open') return opening;
      const shelf = join(home, 'journal', seed, marker.key.slice(0, 2));
      return { kind: 'open', call: withClosePoints(opening.call, shelf, pass) };
    },
  };
}

function withClosePoints(call: OpenCall, shelf: string, pass: Pass): OpenCall {
  return {
    ...call,
    async close(entry) {
      const die = pass('marker-left', activityName());
      const restore = die && keepMarkers(shelf, entry.key);
      const kept = await call.close(entry);
      restore?.();
      die?.();
      pass('journaled', activityName())?.();
      return kept;
    },
  };
}

/** Closing a call writes its entry and then removes its marker; undoing the second shows what is between the two. */
function keepMarkers(shelf: string, key: string): () => void {
  const names = readdirSync(shelf).filter((name) => name.startsWith(`${key}.open-`));
  const texts = names.map((name) => [name, readFileSync(join(shelf, name))] as const);
  return () => {
    for (const [name, text] of texts) writeFileSync(join(shelf, name), text);
  };
}

function activityName(): string {
  return Context.current().info.activityType;
}

/** Whether the activity's workflow has continued as new; remembered over all processes. */
function isContinued(home: string): boolean {
  const { workflowExecution } = Context.current().info;
  if (!workflowExecution) return false;
  const folder = join(home, 'first-runs');
  const path = join(folder, workflowExecution.workflowId.replaceAll('/', '-'));
  if (existsSync(path)) return readFileSync(path, 'utf8') !== workflowExecution.runId;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, workflowExecution.runId);
  return false;
}
