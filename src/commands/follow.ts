import { exitCodeOf } from '../domain/outcome.ts';
import { followRun, type Change } from '../runs/follow-run.ts';
import { openLiveFolder } from '../runs/live-folder.ts';
import type { Engine } from '../runs/ports.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeWaits } from './describe-run.ts';
import { describeKept } from './finish-run.ts';
import {
  createJsonView,
  createLiveView,
  createPlainView,
  createQuietView,
  type FollowView,
} from './follow-views.ts';
import type { Ports } from './ports.ts';

/** How a command follows a run. */
export interface FollowWish {
  readonly json: boolean;
  /** Leave as soon as the run waits for a person, also on a terminal. */
  readonly noWait: boolean;
  /** Set when several runs are followed at once: then each line says whose it is. */
  readonly isOneOfMany?: boolean;
  /** Shows this run among others, instead of a view of its own. */
  readonly view?: FollowView;
}

/** Why following ended. */
export type FollowEnd =
  | { readonly kind: 'ended'; readonly status: StatusReport }
  | { readonly kind: 'waiting'; readonly status: StatusReport }
  /** Nothing drives the run: its workflow is gone without an outcome. */
  | { readonly kind: 'stranded'; readonly status: StatusReport }
  | { readonly kind: 'interrupted'; readonly status: StatusReport | undefined };

/** Looks in a row that must agree before we believe that a run waits or is stranded: both may last a moment only. */
const AGREEING_LOOKS = 3;
const LOOK_MS = 300;
/** A worker that is busy, or started anew after a kill, may be silent for this many looks; each takes up to 0.6 s. */
const TELLING_LOOKS = 30;

/** Follows a run on the terminal until it ends, waits for a person who is not there, is stranded, or Ctrl-C. */
export async function follow(
  ports: Ports,
  name: string,
  engine: Engine | undefined,
  wish: FollowWish,
): Promise<FollowEnd> {
  const view = wish.view ?? viewFor(ports, name, wish);
  const bell = createBell(ports, name);
  const folder = openLiveFolder(ports.runs());
  const keptChanges = new Set<string>();
  let told = 0;
  folder.onExported(({ newlyKept }) => {
    for (const sentence of describeKept(name, newlyKept)) keptChanges.add(sentence);
  });
  const abort = new AbortController();
  const takeBack = ports.onInterrupt(() => abort.abort());
  const staysWaiting = ports.terminal.isLive && !wish.noWait && !wish.json && !wish.isOneOfMany;
  let status: StatusReport | undefined;
  let silentLooks = 0;
  let agreeing = { what: '', looks: 0 };
  try {
    const changes = followRun(ports.runs(), name, engine, {
      signal: abort.signal,
      intervalMs: LOOK_MS,
      isEveryLook: true,
      reconnect: () => (engine ? ports.runs().engine() : Promise.resolve(undefined)),
    });
    for await (const change of changes) {
      status = change.status;
      silentLooks = status.engine.state === 'silent' ? silentLooks + 1 : 0;
      // Whoever follows to the end writes the last round too, and tells what became of it.
      if (status.state !== 'ended') folder.look(status);
      const shown = withoutPassing(change, silentLooks);
      view.show(withSentences(shown, [folder.trouble(), ...keptChanges]));
      told = keptChanges.size;
      await bell.look(status);
      if (status.state === 'ended') return { kind: 'ended', status };
      const what = endingOf(change, staysWaiting);
      agreeing = { what, looks: agreeing.what === what ? agreeing.looks + 1 : 1 };
      if (what !== '' && agreeing.looks >= AGREEING_LOOKS) return { kind: what, status };
    }
    return { kind: 'interrupted', status };
  } finally {
    takeBack();
    view.end();
    await folder.settled();
    // A picture of several runs is still being redrawn.
    if (!wish.view)
      for (const sentence of [...keptChanges].slice(told)) ports.terminal.err(sentence);
  }
}

/** Says what a person can do next, and the exit code. Letting go of the engine may take as long as a call in flight. */
export async function leaveUnfinished(
  ports: Ports,
  name: string,
  end: Exclude<FollowEnd, { kind: 'ended' }>,
): Promise<number> {
  const { terminal } = ports;
  if (end.kind === 'waiting') {
    for (const sentence of describeWaits(end.status)) terminal.err(sentence);
    terminal.err(describeResume(end.status));
    return 4;
  }
  if (end.kind === 'stranded') {
    terminal.err(end.status.engine.message);
    return 1;
  }
  terminal.err('Letting calls in flight finish; Ctrl-C again leaves now.');
  const takeBack = ports.onInterrupt(() => ports.exitNow(130));
  const left = await ports.leave();
  takeBack();
  terminal.err(
    left === 'ended'
      ? `Nothing is lost: \`deeprepro resume ${name}\` goes on.`
      : `The run goes on in the background: \`deeprepro watch ${name}\` shows it, \`deeprepro pause ${name}\` holds it.`,
  );
  return 130;
}

/** The command that goes on after the remedy, with the options that change what the remedy names. */
function describeResume({ name, waits }: StatusReport): string {
  const kinds = new Set(waits.map(({ kind }) => kind));
  const options = [
    ...(kinds.has('model') || kinds.has('request') || kinds.has('context')
      ? ['--model MODEL']
      : []),
    ...(kinds.has('request') ? ['--base-url URL'] : []),
  ];
  const change = options.length > 0 ? `; ${options.join(' and ')} change what it asks` : '';
  return `Then \`deeprepro resume ${name}\` goes on${change}; nothing is lost.`;
}

/** The exit code of a run that was followed to its end. */
export function exitCodeFor({ outcome }: StatusReport): number {
  return outcome === null ? 1 : exitCodeOf(outcome);
}

/** Leaves out what is nothing to tell: a worker that is busy or starting, and remedies while we connect again ourselves. */
function withoutPassing(change: Change, silentLooks: number): Change {
  const { status, trouble } = change;
  const { state } = status.engine;
  const isPassing =
    (state === 'silent' && silentLooks < TELLING_LOOKS) || (state === 'down' && trouble !== '');
  if (!isPassing) return change;
  return {
    ...change,
    status: { ...status, engine: { ...status.engine, message: '', pending: [] } },
  };
}

/** Calls a person who looks elsewhere, once for each wait and for the end. */
function createBell(ports: Ports, name: string): { look(status: StatusReport): Promise<void> } {
  let rung = '';
  return {
    async look(status) {
      const isOver = status.state === 'ended';
      const text = isOver
        ? (status.outcome ?? '')
        : status.state === 'waiting'
          ? (describeWaits(status)[0] ?? '')
          : '';
      if (text !== '' && text !== rung) await ports.notify(`deeprepro ${name}`, text);
      rung = text;
    },
  };
}

/** What is to be said besides, where troubles are told. */
function withSentences(change: Change, sentences: readonly string[]): Change {
  const said = [change.trouble, ...sentences].filter((sentence) => sentence !== '');
  return { ...change, trouble: said.join(' ') };
}

function viewFor({ terminal }: Ports, name: string, wish: FollowWish): FollowView {
  if (wish.json) return createJsonView(terminal);
  if (terminal.verbosity() === 'quiet') return createQuietView(terminal);
  if (wish.isOneOfMany) return createPlainView(terminal, `${name}: `);
  const isLive = terminal.isLive && terminal.verbosity() === 'normal';
  return isLive ? createLiveView(terminal) : createPlainView(terminal);
}

function endingOf({ status, trouble }: Change, staysWaiting: boolean): 'waiting' | 'stranded' | '' {
  if (status.state === 'waiting') return staysWaiting ? '' : 'waiting';
  const { state } = status.engine;
  const isGone = state === 'closed' || state === 'unknown' || state === 'elsewhere';
  return isGone && trouble === '' ? 'stranded' : '';
}
