import { join } from 'node:path';
import { describeFacts } from '../domain/describe-facts.ts';
import { renderReport } from '../domain/report.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { readFacts } from '../store/read-facts.ts';
import type { RoundState } from '../store/round-states.ts';
import { OWN_FOLDER } from './export-marker.ts';
import type { RunPorts } from './ports.ts';
import { writePlainly } from './write-plainly.ts';

/**
 * Writes the report and `run.json` to `.deeprepro/` of an exported repository, as of the state that its files are of.
 * The folder ignores itself in git: what was spent and when differs between runs that wrote the same code, and commits
 * are to be the same for the same code.
 */
export async function writeOwnFiles(
  ports: RunPorts,
  record: RunRecord,
  head: RoundState | undefined,
  folder: string,
): Promise<void> {
  const isNewest = head?.stateRef.sha256 === record.head?.stateRef.sha256;
  const facts = await readFacts(ports, record, head ?? null, !isNewest);
  const report =
    isNewest && record.outcome !== null && record.report
      ? await ports.store.get(record.report)
      : renderReport(facts);
  const own = join(folder, OWN_FOLDER);
  await writePlainly(join(own, '.gitignore'), '*\n');
  await writePlainly(join(own, 'REPORT.md'), report);
  await writePlainly(join(own, 'run.json'), `${JSON.stringify(describeFacts(facts), null, 2)}\n`);
}
