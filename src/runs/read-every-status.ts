import type { RunPorts } from './ports.ts';
import { readStatus } from './read-status.ts';
import type { StatusReport } from './status-report.ts';

/** A run whose folder cannot be read, in a sentence; the others are listed all the same. */
export interface UnreadableRun {
  readonly name: string;
  readonly problem: string;
}

/** Where every run stands, oldest first. */
export async function readEveryStatus({
  folders,
  engineIfUp,
}: Pick<RunPorts, 'folders' | 'engineIfUp'>): Promise<readonly (StatusReport | UnreadableRun)[]> {
  const names = await folders.names();
  const found = await Promise.all(
    names.map((name) =>
      readStatus({ folders, engineIfUp }, name).catch((error: unknown): UnreadableRun => ({
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
