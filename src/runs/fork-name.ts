import { UsageError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';
import type { RunPorts } from './ports.ts';
import { checkedRunName, requireFreeName } from './run-name.ts';

/** A name that no run has, and that no run has paid under in this journal: else its spend would be counted as ours. */
export async function forkName(
  { folders, journal }: RunPorts,
  parent: RunRecord,
  seed: string,
  wished: string | undefined,
): Promise<string> {
  const payers = new Set((await journal.entries(seed)).map(({ run }) => run));
  if (wished !== undefined) {
    const name = checkedRunName(wished);
    await requireFreeName(folders, name);
    if (!payers.has(name)) return name;
    throw new UsageError(
      `A run "${name}" that has been removed was answered from the same replies: give the fork another --name.`,
    );
  }
  const names = await folders.names();
  for (let number = 1; ; number += 1) {
    const name = `${parent.name.slice(0, LONGEST_STEM)}-fork${number === 1 ? '' : `-${number}`}`;
    if (!names.includes(name) && !payers.has(name)) return name;
  }
}

/** Leaves room for `-fork-123`. */
const LONGEST_STEM = 50;
