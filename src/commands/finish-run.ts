import { join } from 'node:path';
import { canResume } from '../domain/outcome.ts';
import { exportRun, type Exported } from '../runs/export-run.ts';
import { sentenceOf } from '../runs/live-folder.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeCalls, describeFiles, describeFindings, describeSpend } from './describe-run.ts';
import type { Ports } from './ports.ts';
import { cleanLine } from './text-width.ts';

/** What became of the folder that a run writes to. */
export interface Finished {
  readonly exported: Exported | undefined;
  /** Why it could not be written; empty when it could. */
  readonly problem: string;
}

/**
 * Brings the run's folder up to date, if it has one and there is something to write. A folder that cannot be written is
 * no end of the run: it is told how to have the repository elsewhere.
 */
export async function exportIfAsked(
  ports: Ports,
  { name, out, head, report }: StatusReport,
): Promise<Finished> {
  if (out === null || (head === null && report === null))
    return { exported: undefined, problem: '' };
  try {
    return { exported: await exportRun(ports.runs(), name, out), problem: '' };
  } catch (error) {
    const remedy = `\`deeprepro export ${name} --out DIR\` writes it elsewhere.`;
    return {
      exported: undefined,
      problem: `The repository could not be written: ${sentenceOf(error)} ${remedy}`,
    };
  }
}

/** The end of a run in a few lines: outcome, files, findings, spend, and where everything is. */
export function describeEnd(status: StatusReport, exported: Exported | undefined): string[] {
  const { name, outcome } = status;
  const lines = [
    `${name}: ${outcome ?? 'not ended'}, ${describeFiles(status)}, ${describeFindings(status)}.`,
    `Spent ${describeSpend(status)}; ${describeCalls(status)}.`,
  ];
  if (status.failure !== '') lines.push(cleanLine(status.failure));
  if (outcome !== null && canResume(outcome))
    lines.push(
      `\`deeprepro resume ${name}\` goes on ${status.head === null ? 'with the replies that it has' : 'from the last round'}.`,
    );
  if (exported) return [...lines, ...describeExport(exported, exported.newlyKept)];
  if (status.report !== null) lines.push(`\`deeprepro report ${name}\` prints the report.`);
  if (status.head !== null)
    lines.push(`\`deeprepro export ${name} --out DIR\` writes the repository.`);
  return lines;
}

/** What an export did, and where. `kept` are the changes of a person's to tell of; by default all. */
export function describeExport(exported: Exported, kept = exported.keptChanges): string[] {
  const { run, folder, history } = exported;
  return [
    ...describeKept(run, kept),
    ...(history.note === '' ? [] : [history.note]),
    `Repository: ${folder} (${describeCounts(exported)})`,
    `Report: ${join(folder, '.deeprepro', 'REPORT.md')}`,
  ];
}

/** What was already there was written while the run was followed. */
function describeCounts({ round, written, unchanged, removed }: Exported): string {
  const of = `${written + unchanged} files as of round ${round}`;
  const done = [
    ...(written > 0 && unchanged > 0 ? [`${written} written now`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  return [of, ...done].join(', ');
}

/** A sentence for each change of a person's that was left alone, with how to take the run's file all the same. */
export function describeKept(run: string, paths: readonly string[]): string[] {
  return paths.map(
    (path) =>
      `Left alone, because you changed it: ${cleanLine(path)} (move it away, and \`deeprepro export ${run}\` writes the run's).`,
  );
}
