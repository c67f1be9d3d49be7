import { renderReport } from '../domain/report.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { readFacts } from '../store/read-facts.ts';
import { readStateAt } from '../store/round-states.ts';
import { getText } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';

/** `REPORT.md` of a run: from its end, or how things stand where it has not ended. */
export async function readReport(
  ports: Pick<RunPorts, 'folders' | 'store' | 'journal'>,
  name: string,
): Promise<{ readonly outcome: RunRecord['outcome']; readonly text: string }> {
  const record = await ports.folders.read(name);
  const { report, outcome, head } = record;
  if (report && outcome !== null) return { outcome, text: await getText(ports.store, report) };
  const at = head ? await readStateAt(ports.store, head.stateRef) : null;
  return { outcome, text: renderReport(await readFacts(ports, record, at)) };
}
