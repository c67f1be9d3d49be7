import { connect } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';

/** `grpc.health.v1.HealthCheckRequest{service: "temporal.api.workflowservice.v1.WorkflowService"}` in its frame. */
const SERVICE = 'temporal.api.workflowservice.v1.WorkflowService';
const REQUEST = Buffer.concat([
  Buffer.from([0, 0, 0, 0, SERVICE.length + 2, 0x0a, SERVICE.length]),
  Buffer.from(SERVICE),
]);
/** `HealthCheckResponse{status: SERVING}` in its frame. */
const SERVING = Buffer.from([0, 0, 0, 0, 2, 0x08, 1]);
const POLL_MS = 25;

/**
 * Whether a Temporal server answers at `address` (`host:port`) that it serves, within `timeoutMs`. A port that takes
 * connections is not enough: a stopped process's does. Loading Temporal's client for this question would take longer
 * than the server needs to start.
 */
export function isServing(address: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const session = connect(`http://${address}`);
    const finish = (answer: boolean) => {
      clearTimeout(timer);
      session.destroy();
      resolve(answer);
    };
    const timer = setTimeout(finish, timeoutMs, false);
    session.on('error', () => finish(false));
    const stream = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Check',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const chunks: Buffer[] = [];
    stream.on('error', () => finish(false));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('close', () => finish(Buffer.concat(chunks).equals(SERVING)));
    stream.end(REQUEST);
  });
}

/** Waits until the server serves; false when `signal` is aborted first. */
export async function waitUntilServing(address: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await isServing(address, 1000)) return true;
    await sleep(POLL_MS);
  }
  return false;
}
