import { join } from 'node:path';
import type { Ports } from '../../src/commands/ports.ts';
import { createBatchFolders } from '../../src/store/batch-folders.ts';
import type { Bench } from '../runs/a-run.ts';

/** Ports of commands on a bench; `lines` takes what they say, each with `out` or `err` before it. */
export function portsOf(
  { ports, keeping, folder }: Bench,
  lines: string[],
): Ports & { exitCode(): number } {
  let exitCode = 0;
  return {
    version: '0.0.0',
    terminal: {
      out: (text) => void lines.push(`out ${text}`),
      err: (text) => void lines.push(`err ${text}`),
      note: (text) => void lines.push(`err ${text}`),
      verbosity: () => 'normal',
      ...{ isLive: false, hasColors: false, stream: process.stdout },
      columns: () => 80,
      rows: () => 24,
    },
    settings: () => ({
      ...{ home: folder, isRemote: false, model: undefined, baseUrl: undefined, project: {} },
      projectProblem: '',
      ...{ heartbeatMs: 30_000, continueEvery: undefined, environment: {} },
    }),
    runs: () => ports,
    keeping: () => keeping,
    doctor: async () => undefined,
    confirm: async () => undefined,
    notify: async () => undefined,
    setManner: () => undefined,
    batches: () => createBatchFolders(join(folder, 'batches')),
    checkData: async () => undefined,
    down: async () => false,
    leave: async () => 'ended',
    runWorker: async () => undefined,
    onInterrupt: () => () => undefined,
    exitNow: () => undefined,
    setExitCode: (code) => void (exitCode = code),
    exitCode: () => exitCode,
    demo: { paper: '', replies: { fast: '', deepplan: '' } },
  };
}
