import { NeedsPerson } from '../domain/errors.ts';
import { exportIfFree, type Exported } from './export-run.ts';
import type { RunPorts } from './ports.ts';
import type { StatusReport } from './status-report.ts';

/** The `--out` folder of a run while somebody follows it: brought up to each round as it is committed. */
export interface LiveFolder {
  /** Begins to write where the run has moved on since. Returns at once and never throws. */
  look(status: StatusReport): void;
  /** Why it could not be written at the last try; empty when it could. */
  trouble(): string;
  /** Calls back with each export that wrote something, or left a change of a person's alone for the first time. */
  onExported(listener: (exported: Exported) => void): void;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

/** After a failure, such as a full disk, it is tried again after so long even if the run stands still. */
const RETRY_MS = 5_000;

export function openLiveFolder(ports: RunPorts): LiveFolder {
  let writing: Promise<void> | undefined;
  let done = '';
  let nextTryAtMs = 0;
  let trouble = '';
  let tell: (exported: Exported) => void = () => undefined;

  async function write(name: string, out: string, stand: string): Promise<void> {
    try {
      const exported = await exportIfFree(ports, name, out, {});
      trouble = '';
      // Another client writes at the moment; we look again, and then there may be nothing left to do.
      if (typeof exported === 'number') return;
      done = stand;
      tell(exported);
    } catch (error) {
      trouble = `The repository cannot be written at the moment: ${sentenceOf(error)}`;
      nextTryAtMs = Date.now() + RETRY_MS;
    } finally {
      writing = undefined;
    }
  }

  return {
    look({ name, out, head, outcome }) {
      if (out === null || head === null || writing) return;
      const stand = `${head} ${outcome ?? ''}`;
      if (stand === done || Date.now() < nextTryAtMs) return;
      writing = write(name, out, stand);
    },
    trouble: () => trouble,
    onExported: (listener) => void (tell = listener),
    settled: async () => writing,
  };
}

/** An error as a person should read it. */
export function sentenceOf(error: unknown): string {
  if (error instanceof NeedsPerson) return `${error.message} ${error.remedy}`;
  return error instanceof Error ? error.message : String(error);
}
