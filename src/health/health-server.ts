import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { UsageError } from '../domain/errors.ts';
import { formatListenAddress, type ListenAddress } from '../domain/listen-address.ts';
import type { Health } from './worker-health.ts';

/** A running server of `/healthz`. */
export interface HealthServer {
  /** As asked for; the port that was found when 0 was asked for. */
  readonly address: ListenAddress;
  close(): Promise<void>;
}

/**
 * Answers `GET /healthz` with 200 when `check` finds no reason against it, else with 503 and the reasons, as JSON.
 * Throws `UsageError` when the address cannot be had.
 */
export async function serveHealth(
  address: ListenAddress,
  check: () => Promise<Health>,
): Promise<HealthServer> {
  let checking: Promise<Health> | undefined;
  /** Whoever asks while a check is under way gets its result. */
  function checkOnce(): Promise<Health> {
    checking ??= check().finally(() => (checking = undefined));
    return checking;
  }
  const server = createServer((request, response) => void answer(request, response, checkOnce));
  server.listen(address.port, address.host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `The worker's health cannot be served on ${formatListenAddress(address)} (${reason}): choose another address with --health.`,
      { cause: error },
    );
  }
  const found = server.address();
  const port = typeof found === 'object' && found ? found.port : address.port;
  return {
    address: { host: address.host, port },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  check: () => Promise<Health>,
): Promise<void> {
  if (url?.split('?')[0] !== '/healthz') {
    send(response, 404, { status: 'not found' });
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    send(response, 405, { status: 'method not allowed' });
    return;
  }
  const { isHealthy, reasons, activities } = await check();
  const status = isHealthy ? 'ok' : 'unavailable';
  send(response, isHealthy ? 200 : 503, { status, reasons, activities });
}

function send(response: ServerResponse, code: number, body: unknown): void {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(code, headers).end(`${JSON.stringify(body)}\n`);
}
