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
    lines.push(`\`deeprepro resume ${name}\` goes on from the last round.`);
  if (exported) return [...lines, ...describeExport(exported)];
  if (status.report !== null) lines.push(`\`deeprepro report ${name}\` prints the report.`);
  if (status.head !== null)
    lines.push(`\`deeprepro export ${name} --out DIR\` writes the repository.`);
  return lines;
}

/** What an export did, and where. */
export function describeExport(exported: Exported): string[] {
  const { folder, written, unchanged, removed, history } = exported;
  const counts = [
    `${written} written`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  return [
    ...describeKept(exported),
    ...(history.note === '' ? [] : [history.note]),
    `Repository: ${folder} (files: ${counts.join(', ')})`,
    `Report: ${join(folder, '.deeprepro', 'REPORT.md')}`,
  ];
}

/** A sentence for each change of a person's that was left alone and that they were not told of before. */
export function describeKept({ run, newlyKept }: Exported): string[] {
  return newlyKept.map(
    (path) =>
      `Left alone, because you changed it: ${cleanLine(path)} (move it away, and \`deeprepro export ${run}\` writes the run's).`,
  );
}
