// The root of a worker's process that dies where a test wants it to:
//   CRASH_ROOT (URL of the built worker.js) · CRASH_PLANS (JSON) · CRASH_FOLDER (what has happened) · all that a worker reads
// A worker takes itself out by SIGKILL; a server dies by its number in server.json while the worker goes on. Each crash
// happens once, however often the worker is started. It starts when it is told "go".
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import type { Deps } from '../../src/activities/deps.ts';
import type { readSettings } from '../../src/settings.ts';
import type { createDeps, runWorker } from '../../src/worker.ts';
import { isAlive, killProcess } from '../../src/processes/kill-process.ts';
import { workflowIdOf } from '../../src/workflows/messages.ts';
import { CrashPlan, nameOf, withCrashPoints, type Crash, type CrashPoint } from './crash-points.ts';

const Variables = z.object({
  CRASH_ROOT: z.url(),
  CRASH_PLANS: z.string().transform((text) => z.array(CrashPlan).parse(JSON.parse(text))),
  CRASH_FOLDER: z.string(),
});
const variables = Variables.parse(process.env);
/** A server is back within a second or two; longer than this, something else is wrong. */
const SERVER_BACK_MS = 10_000;
/** As built, which starts in half the time of the sources. */
const Root = z.object({
  readSettings: z.custom<typeof readSettings>(isFunction),
  createDeps: z.custom<typeof createDeps>(isFunction),
  runWorker: z.custom<typeof runWorker>(isFunction),
});
const root = Root.parse({
  ...(await import(variables.CRASH_ROOT)),
  ...(await import(new URL('settings.js', variables.CRASH_ROOT).href)),
});
const passes = new Map<string, number>();
const settings = root.readSettings();
const deps = withLabels(await root.createDeps(settings));
const crashing = withCrashPoints(deps, settings.home, pass);
await once(process, 'message');
await root.runWorker(settings, crashing, () => process.send?.({ kind: 'ready' }));
// An open channel would keep this process alive.
if (process.connected) process.disconnect();

function pass(point: CrashPoint, activity: string): (() => void) | undefined {
  const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
  const plan = variables.CRASH_PLANS.find(({ run }) => workflowIdOf(run) === workflowId);
  if (!plan) return undefined;
  const key = `${workflowId} ${point} ${activity}`;
  const count = (passes.get(key) ?? 0) + 1;
  passes.set(key, count);
  const crash = plan.crashes.find(
    (each) => each.point === point && each.activity === activity && each.pass <= count,
  );
  if (!crash || existsSync(pathOf(plan, crash))) return undefined;
  const isUp = plan.target === 'worker' || waitsForServer();
  return isUp && claim(plan, crash) ? () => die(plan) : undefined;
}

/**
 * A server that is down from the last crash can only die of this one when it is back. This very moment waits for it: a
 * point that is passed once, while the server is down, would otherwise never be deadly.
 */
function waitsForServer(): boolean {
  const deadline = Date.now() + SERVER_BACK_MS;
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (!isAlive(serverPid())) {
    if (Date.now() > deadline) return false;
    Atomics.wait(sleeper, 0, 0, 20);
  }
  return true;
}

/** False when another process has died of it already. */
function claim(plan: CrashPlan, crash: Crash): boolean {
  try {
    writeFileSync(pathOf(plan, crash), String(Date.now()), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function pathOf(plan: CrashPlan, crash: Crash): string {
  return join(variables.CRASH_FOLDER, nameOf(plan, crash));
}

function serverPid(): number {
  const text = readFileSync(join(settings.home, 'server.json'), 'utf8');
  return z.object({ pid: z.int() }).parse(JSON.parse(text)).pid;
}

function die({ target }: CrashPlan): void {
  if (target === 'server') return void killProcess(serverPid(), 'SIGKILL');
  process.kill(process.pid, 'SIGKILL');
  // Nothing more may happen in the microseconds before the signal arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

/** Writes down which messages each label stands for, so that a test can tell what a server was asked. */
function withLabels(own: Deps): Deps {
  return {
    ...own,
    model: {
      reply(request, signal, onProgress) {
        const messages = request.messages.map(({ role, content }) => [role, content]);
        const sha256 = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
        const line = JSON.stringify({ label: request.label, sha256 });
        appendFileSync(join(variables.CRASH_FOLDER, 'labels.jsonl'), `${line}\n`);
        return own.model.reply(request, signal, onProgress);
      },
    },
  };
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
