import type { RunRecord } from '../../src/domain/run-record.ts';
import type { Controls } from '../../src/workflows/messages.ts';
import { aPaperText } from '../fakes/plan-scenario.ts';
import type { Product } from '../fakes/product.ts';
import { baseUrlOf, LATENCY_MS } from './latency-model.ts';
import { PAPER_CHARACTERS, type BenchPlan } from './plans.ts';

/** What one run took. */
export interface MeasuredRun {
  readonly name: string;
  readonly wallMs: number;
  /** From the first model call to the last file accepted, in latencies. */
  readonly filesWrittenAfter: number;
  readonly calls: number;
  readonly rounds: number;
}

/** Makes a run of a plan, with a paper that no run had before. */
export function createBenchRun(
  product: Product,
  plan: BenchPlan,
  name: string,
  { mode = 'fast', ...controls }: Partial<Controls>,
): Promise<RunRecord> {
  return product.createRun({
    name,
    mode,
    paper: `${aPaperText(PAPER_CHARACTERS - name.length)}\n${name}`,
    baseUrl: baseUrlOf(plan),
    controls: { heartbeatMs: 30_000, ...controls },
  });
}

/** Reads off the run's journal and events when its calls began and its files were there. Throws unless it is complete. */
export async function readMeasures(
  { deps }: Product,
  { name, seed }: RunRecord,
  wallMs: number,
): Promise<MeasuredRun> {
  const { outcome, failure, head } = await deps.folders.read(name);
  if (outcome !== 'complete') throw new Error(`The run ${name} ended ${outcome}. ${failure}`);
  const calls = await deps.journal.entries(seed);
  const events = await deps.folders.events(name);
  const firstCall = Math.min(...calls.map(({ startedAt }) => Date.parse(startedAt)));
  const lastFile = Math.max(
    ...events.filter(({ kind }) => kind === 'file-written').map(({ at }) => Date.parse(at)),
  );
  const filesWrittenAfter = (lastFile - firstCall) / LATENCY_MS;
  return { name, wallMs, filesWrittenAfter, calls: calls.length, rounds: head?.view.round ?? 0 };
}
