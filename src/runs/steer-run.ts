import { randomUUID } from 'node:crypto';
import { formatAmount } from '../domain/budget.ts';
import { UsageError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { keyNamesOf } from './change-model.ts';
import type { Engine, RunPorts } from './ports.ts';
import { elsewhere, isAt } from './read-status.ts';

/** Lets started steps finish and starts no others. */
export async function pauseRun(ports: RunPorts, name: string): Promise<void> {
  const { engine } = await reachRun(ports, name);
  await engine.pause(name);
}

/** Ends the run after this round; also lifts a pause, since the round has to finish. */
export async function stopRun(ports: RunPorts, name: string): Promise<void> {
  const { engine } = await reachRun(ports, name);
  await engine.stop(name);
}

/** Ends the run now: nothing partial is committed, and a report is written. */
export async function cancelRun(ports: RunPorts, name: string): Promise<void> {
  const { engine } = await reachRun(ports, name);
  await engine.cancel(name);
}

/** Sets the cap, in the unit of the run; null for none. */
export async function setBudget(ports: RunPorts, name: string, cap: number | null): Promise<void> {
  const { engine, record } = await reachRun(ports, name);
  requireOwnMoney(record, cap);
  requireTokens(record, cap);
  await engine.setBudget(name, { id: randomUUID(), cap });
}

/** The prompt of one call takes more; who asks for less has dollars in mind. */
const LEAST_TOKENS = 1000;

/** Throws `UsageError` where a cap of a run that counts tokens must have been meant in dollars. */
export function requireTokens({ name, account }: RunRecord, cap: number | null): void {
  if (account.unit !== 'tokens' || cap === null || cap >= LEAST_TOKENS) return;
  throw new UsageError(
    `The run "${name}" counts tokens, and no call fits in ${formatAmount(cap, 'tokens')}: give its cap in tokens, such as 2000000.`,
  );
}

/** A run of a batch gets more money from there only. Throws `UsageError` where a cap would rise. */
export function requireOwnMoney({ name, batch, account }: RunRecord, cap: number | null): void {
  if (batch === undefined || (cap !== null && account.cap !== null && cap <= account.cap)) return;
  throw new UsageError(
    `The run "${name}" gets its money from the batch "${batch}": \`deeprepro batch ${batch} --total-budget AMOUNT\` raises that, then \`deeprepro resume ${batch}\` hands it out.`,
  );
}

/** The record of a run that has not ended and the engine that drives it. Throws `UsageError` for any other. */
export async function reachRun(
  ports: RunPorts,
  name: string,
): Promise<{ record: RunRecord; engine: Engine }> {
  const record = await ports.folders.read(name);
  if (record.outcome !== null)
    throw new UsageError(
      `The run "${name}" has ended already (${record.outcome}): see \`deeprepro status ${name}\`.`,
    );
  const engine = await ports.engine(await keyNamesOf(ports, record));
  if (!isAt(record.temporal, engine.place)) throw new UsageError(elsewhere(record, engine));
  return { record, engine };
}
