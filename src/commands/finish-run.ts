import { join } from 'node:path';
import { canResume } from '../domain/outcome.ts';
import { exportRun, type Exported } from '../runs/export-run.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeCalls, describeFiles, describeFindings, describeSpend } from './describe-run.ts';
import type { Ports } from './ports.ts';
import { cleanLine } from './text-width.ts';

/** Brings the run's folder up to date, if it has one and there is something to write. */
export async function exportIfAsked(
  ports: Ports,
  { name, out, head, report }: StatusReport,
): Promise<Exported | undefined> {
  if (out === null || (head === null && report === null)) return undefined;
  return exportRun(ports.runs(), name, out);
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
export function describeExport({
  folder,
  written,
  unchanged,
  removed,
  keptChanges,
}: Exported): string[] {
  const counts = [
    `${written} written`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(removed.length > 0 ? [`${removed.length} removed`] : []),
  ];
  return [
    ...keptChanges.map((path) => `Left alone, because you changed it: ${cleanLine(path)}`),
    `Repository: ${folder} (files: ${counts.join(', ')})`,
    `Report: ${join(folder, '.deeprepro', 'REPORT.md')}`,
  ];
}
