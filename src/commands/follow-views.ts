import { createLogUpdate } from 'log-update';
import picocolors from 'picocolors';
import type { Event } from '../domain/event.ts';
import type { Change } from '../runs/follow-run.ts';
import { isLostWorker } from '../runs/failing-steps.ts';
import { describeFiles, describeState, describeWaits } from './describe-run.ts';
import { frameOf, type Paint } from './frame.ts';
import type { Terminal } from './ports.ts';
import { cleanLine } from './text-width.ts';

/** Shows a run while it is followed. */
export interface FollowView {
  show(change: Change): void;
  /** Leaves the last picture standing. */
  end(): void;
  /** Whether it wants to be shown again when nothing has changed, for its clock. */
  readonly isEveryLook: boolean;
}

/** One picture that is redrawn in place. */
export function createLiveView(terminal: Terminal): FollowView {
  const update = createLogUpdate(terminal.stream);
  const paint = paintOf(terminal.hasColors);
  let events: readonly Event[] = [];
  return {
    isEveryLook: true,
    show({ status, events: more, trouble }) {
      events = [...events, ...more];
      const lines = frameOf(
        {
          ...{ status, events, trouble },
          nowMs: Date.now(),
          columns: terminal.columns(),
          rows: terminal.rows(),
        },
        paint,
      );
      update(lines.slice(0, Math.max(1, terminal.rows() - 1)).join('\n'));
    },
    end: () => update.done(),
  };
}

/** A line for each fact and each change of what a person should know; `prefix` tells runs apart. */
export function createPlainView(terminal: Terminal, prefix = ''): FollowView {
  let told = new Set<string>();
  let before = '';
  let toldState = '';
  const isVerbose = terminal.verbosity() === 'verbose';
  /** Told as facts already. */
  const waits = new Set<string>();
  const say = (at: string, text: string) =>
    terminal.out(`${new Date(at).toTimeString().slice(0, 8)}  ${prefix}${cleanLine(text)}`);
  return {
    isEveryLook: false,
    show(change) {
      const { status, events } = change;
      // Steps side by side meet the same obstacle: it is told once.
      const tell = ({ at, kind, subject, text }: Event): void => {
        // Of the run that this one was forked from, with that one's times.
        if (at < status.createdAt) return;
        if (text !== before) say(at, isVerbose ? `${text} [${kind} ${subject}]` : text);
        before = text;
        if (text.startsWith('Waits: ')) waits.add(cleanLine(text));
      };
      // A round is told before what was done in it.
      const isOfThisRound = ({ kind, round }: Event): boolean =>
        kind === 'file-written' && status.outcome === null && round > status.round;
      const first = events.findIndex(isOfThisRound);
      const [earlier, later] = [events.slice(0, first), events.slice(first)];
      for (const event of first < 0 ? events : earlier) tell(event);
      const state = stateLine(status);
      if (state !== '' && state !== toldState) say(new Date().toISOString(), state);
      toldState = state;
      for (const event of first < 0 ? [] : later) tell(event);
      const standing = new Set(standingLines(change, isVerbose));
      const now = new Date().toISOString();
      for (const line of standing) if (!told.has(line) && !waits.has(line)) say(now, line);
      told = standing;
    },
    end: () => undefined,
  };
}

/** Only what a person must know at once: a wait, when it begins. */
export function createQuietView(terminal: Terminal): FollowView {
  let told: readonly string[] = [];
  return {
    isEveryLook: false,
    show({ status }) {
      const waits = describeWaits(status);
      for (const sentence of waits) if (!told.includes(sentence)) terminal.err(sentence);
      told = waits;
    },
    end: () => undefined,
  };
}

/** A line of JSON for each fact and each status. */
export function createJsonView(terminal: Terminal): FollowView {
  let before = '';
  return {
    isEveryLook: false,
    show({ status, events, trouble }) {
      for (const event of events)
        terminal.out(JSON.stringify({ type: 'event', run: status.name, event }));
      const line = JSON.stringify({ type: 'status', status, trouble });
      if (line !== before) terminal.out(line);
      before = line;
    },
    end: () => undefined,
  };
}

/** Texts in colours, or plain where the person wants none. */
export function paintOf(hasColors: boolean): Paint {
  const { bold, dim, yellow } = picocolors.createColors(hasColors);
  return { bold: (text) => bold(text), dim: (text) => dim(text), warn: (text) => yellow(text) };
}

/** `Now round 2: 7 of 12 files written`; empty where the run has ended. "Round 2: …" is what a round came to. */
function stateLine(status: Change['status']): string {
  return status.outcome === null ? `Now ${describeState(status)}: ${describeFiles(status)}` : '';
}

/** Sentences that hold for as long as the status says so; each is told once. */
function standingLines({ status, trouble }: Change, isVerbose: boolean): string[] {
  return [
    ...describeWaits(status).map((sentence) => `Waits: ${sentence}`),
    ...(status.engine.message === '' ? [] : [status.engine.message]),
    ...retries(status, isVerbose),
    ...(trouble === '' ? [] : [trouble]),
  ];
}

/** One line for each trouble, however many steps meet it. */
function retries({ engine }: Change['status'], isVerbose: boolean): string[] {
  if (isVerbose)
    return engine.pending
      .filter(({ lastFailure }) => lastFailure !== '')
      .map(
        ({ name, attempt, lastFailure }) => `Tried again: ${name}, try ${attempt}: ${lastFailure}`,
      );
  const failures = engine.pending.map(({ lastFailure }) => lastFailure);
  return [...new Set(failures)]
    .filter((failure) => failure !== '' && !isLostWorker(failure))
    .map((failure) => `Tried again: ${failure}`);
}
