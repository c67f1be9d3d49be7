import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { openLineSocket } from './line-socket.ts';
import { SupervisorMessage } from './supervisor-messages.ts';
import type { ClientMessage } from './supervisor-messages.ts';

/** A client's open connection to a supervisor. */
export interface SupervisorLink {
  send(message: ClientMessage): void;
  /**
   * The first message from now on that `choose` turns into something; messages it leaves are handed to the listener.
   * Undefined when the connection ends, or `timeoutMs` passes, before.
   */
  waitFor<T>(
    choose: (message: SupervisorMessage) => T | undefined,
    timeoutMs?: number,
  ): Promise<T | undefined>;
  /** Calls back for each message that nobody waits for. */
  onMessage(listener: (message: SupervisorMessage) => void): void;
  close(): void;
  /** Resolves when the connection has ended, whoever ended it. */
  readonly closed: Promise<void>;
}

/** Connects to the socket; undefined when nobody listens there, or the claim names none. */
export async function openLink(socketPath: string): Promise<SupervisorLink | undefined> {
  // Node would take it for a port, and throw.
  if (socketPath === '') return undefined;
  const socket = connect(socketPath);
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  });
  return isConnected ? wrap(socket) : undefined;
}

function wrap(socket: Socket): SupervisorLink {
  const takers = new Set<(message: SupervisorMessage) => boolean>();
  let listener: ((message: SupervisorMessage) => void) | undefined;
  /** What came while nobody listened: a supervisor that is ready says so in the same breath as its welcome. */
  const backlog: SupervisorMessage[] = [];
  let markClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (markClosed = resolve));
  const lines = openLineSocket<SupervisorMessage, ClientMessage>(
    socket,
    SupervisorMessage,
    (message) => {
      const isTaken = [...takers].map((take) => take(message)).includes(true);
      if (isTaken) return;
      if (listener) listener(message);
      else if (takers.size === 0) backlog.push(message);
    },
    markClosed,
  );
  return {
    send: (message) => lines.send(message),
    waitFor<T>(choose: (message: SupervisorMessage) => T | undefined, timeoutMs?: number) {
      for (let next = backlog.shift(); next; next = backlog.shift()) {
        const answer = choose(next);
        if (answer !== undefined) return Promise.resolve(answer);
      }
      return new Promise<T | undefined>((resolve) => {
        const finish = (answer: T | undefined) => {
          clearTimeout(timer);
          takers.delete(take);
          resolve(answer);
        };
        const take = (message: SupervisorMessage) => {
          const answer = choose(message);
          if (answer !== undefined) finish(answer);
          return answer !== undefined;
        };
        const timer =
          timeoutMs === undefined ? undefined : setTimeout(finish, timeoutMs, undefined);
        takers.add(take);
        void closed.then(() => finish(undefined));
      });
    },
    onMessage: (next) => void (listener = next),
    close: () => lines.close(),
    closed,
  };
}
