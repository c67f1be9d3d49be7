import { setTimeout as wait } from 'node:timers/promises';
import type { Event } from '../domain/event.ts';
import type { Engine, RunPorts } from './ports.ts';
import { readStatusFrom } from './read-status.ts';
import type { StatusReport } from './status-report.ts';

/** What a follower learns: new facts, and where the run stands whenever that has changed. */
export interface Change {
  readonly status: StatusReport;
  /** Facts that were not told before, oldest first. */
  readonly events: readonly Event[];
  /** What is wrong with our own connection; empty when it stands. */
  readonly trouble: string;
}

/** How a run is followed. */
export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Between two looks; 400 ms by default. */
  readonly intervalMs?: number;
  /** Gets the engine anew after it was lost. Rejecting is no end: it is tried again. */
  readonly reconnect: () => Promise<Engine | undefined>;
  /** Whether a change is given for each look, or only when something has changed. */
  readonly isEveryLook?: boolean;
}

const INTERVAL_MS = 400;
/** Between two tries to connect again. */
const RECONNECT_MS = 2000;

/**
 * Follows a run until it has ended or `signal` aborts, by looking at its folder and its workflow. A lost supervisor,
 * server or worker ends nothing: the folder is still there, and the connection is made again.
 */
export async function* followRun(
  ports: Pick<RunPorts, 'folders'>,
  name: string,
  engine: Engine | undefined,
  options: FollowOptions,
): AsyncGenerator<Change, void, undefined> {
  const { signal } = options;
  const link = holdEngine(engine, options);
  let told = 0;
  let before = '';
  for (;;) {
    const status = await readStatusFrom(ports, await link.current(), name);
    // Read after the status: an ended run has told all its facts by then.
    const all = await ports.folders.events(name);
    const change = { status, events: all.slice(told), trouble: link.trouble() };
    told = all.length;
    const fingerprint = JSON.stringify([status, change.trouble]);
    if (options.isEveryLook || fingerprint !== before || change.events.length > 0) yield change;
    before = fingerprint;
    if (status.state === 'ended' || signal.aborted) return;
    await wait(options.intervalMs ?? INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
  }
}

interface EngineLink {
  /** The engine while it stands; a new one is fetched in the background, so that the view never stops. */
  current(): Promise<Engine | undefined>;
  trouble(): string;
}

function holdEngine(first: Engine | undefined, { reconnect }: FollowOptions): EngineLink {
  let engine = first;
  let isConnecting = false;
  let nextTryAtMs = 0;
  let trouble = '';

  async function connectAgain(): Promise<void> {
    isConnecting = true;
    try {
      engine = await reconnect();
      trouble = '';
    } catch (error) {
      trouble = `The connection was lost, and connecting again fails: ${error instanceof Error ? error.message : String(error)}`;
      nextTryAtMs = Date.now() + RECONNECT_MS;
    } finally {
      isConnecting = false;
    }
  }

  return {
    async current() {
      if (engine && !engine.isLost) return engine;
      if (engine?.isLost) trouble = 'The supervisor has gone; connecting again …';
      if (engine) engine = undefined;
      if (!isConnecting && first && Date.now() >= nextTryAtMs) void connectAgain();
      return undefined;
    },
    trouble: () => trouble,
  };
}
