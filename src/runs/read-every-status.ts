import type { RunPorts } from './ports.ts';
import { readStatus } from './read-status.ts';
import type { StatusReport } from './status-report.ts';

/** A run whose folder cannot be read, in a sentence; the others are listed all the same. */
export interface UnreadableRun {
  readonly name: string;
  readonly problem: string;
}

/** Where every run stands, oldest first. */
export async function readEveryStatus(
  ports: Pick<RunPorts, 'folders' | 'engineIfUp'>,
): Promise<readonly (StatusReport | UnreadableRun)[]> {
  const names = await ports.folders.names();
  const found = await Promise.all(
    names.map((name) =>
      readStatus(ports, name).catch((error: unknown): UnreadableRun => ({
        name,
        problem: error instanceof Error ? error.message : String(error),
      })),
    ),
  );
  return found.sort((one, other) => (startOf(one) < startOf(other) ? -1 : 1));
}

function startOf(run: StatusReport | UnreadableRun): string {
  return 'createdAt' in run ? run.createdAt : '';
}
