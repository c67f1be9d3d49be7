import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { nodeArguments } from '../../src/local/node-arguments.ts';

/** The plan that a scripted model follows, and how long its answers take: half to one and a half of `latencyMs`. */
export interface ModelWish {
  readonly files: number;
  readonly depth: number;
  readonly latencyMs: number;
  /** Another module with an `answer` than that of the crash tests, beside this one. */
  readonly scenario?: string;
}

/** The scripted server as a process that nobody kills before the end. */
export interface ModelServer {
  readonly pid: number;
  readonly baseUrl: string;
  /** A line for each request, written before it is answered. */
  readonly log: string;
  close(): Promise<void>;
}

export async function openModelServer(home: string, wish: ModelWish): Promise<ModelServer> {
  const log = join(home, 'asked.jsonl');
  const child = spawn(
    process.execPath,
    [
      ...nodeArguments(besides('openai-server-main.ts')),
      ...[
        '--scenario',
        besides(wish.scenario ?? 'crash-scenario.ts'),
        '--log',
        join(home, 'served.jsonl'),
      ],
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        CRASH_LOG: log,
        CRASH_FILES: `${wish.files}`,
        CRASH_DEPTH: `${wish.depth}`,
        CRASH_LATENCY_MS: `${wish.latencyMs}`,
      },
    },
  );
  const baseUrl = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => reject(new Error('The model server does not start.')));
  });
  return {
    pid: child.pid ?? 0,
    baseUrl,
    log,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function besides(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
