import { setTimeout as wait } from 'node:timers/promises';
import type { RunRecord } from '../domain/run-record.ts';
import type { RunPorts } from './ports.ts';

/** A cancelled run lets siblings end and writes its report within two minutes. */
const END_TIMEOUT_MS = 130_000;
const LOOK_MS = 200;

/** The outcome of a run that is about to end, or null when it has none within `timeoutMs`. */
export async function waitForEnd(
  { folders }: Pick<RunPorts, 'folders'>,
  name: string,
  timeoutMs: number = END_TIMEOUT_MS,
): Promise<RunRecord['outcome']> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { outcome } = await folders.read(name);
    if (outcome !== null || Date.now() > deadline) return outcome;
    await wait(LOOK_MS);
  }
}
