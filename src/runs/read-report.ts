import { UsageError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { getText } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';

/** `REPORT.md` of a run, from its last end. Throws `UsageError` when it has not ended yet. */
export async function readReport(
  { folders, store }: Pick<RunPorts, 'folders' | 'store'>,
  name: string,
): Promise<{ readonly outcome: RunRecord['outcome']; readonly text: string }> {
  const { report, outcome } = await folders.read(name);
  if (report) return { outcome, text: await getText(store, report) };
  throw new UsageError(
    `The run "${name}" has no report yet; it is written at the end: \`deeprepro status ${name}\` says how far it is.`,
  );
}
