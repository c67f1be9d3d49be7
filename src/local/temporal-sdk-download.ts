import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import type { Download } from './download.ts';

const DOWNLOAD_SITE = 'https://temporal.download/';
const PROBE_TIMEOUT_MS = 3000;
const DOWNLOAD_TIMEOUT_MS = 180_000;
/** Fixed, so that everybody gets the same server. */
const CLI_VERSION = 'v1.9.1';

/**
 * The SDK downloads when it starts a test server. Its HTTP client has no time limit and does not heed SIGTERM, so it
 * runs in a process that we can kill.
 */
const DOWNLOAD_SCRIPT = `
const [testing, downloadDir, version] = process.argv.slice(1);
const { TestWorkflowEnvironment } = await import(testing);
const executable = { type: 'cached-download', downloadDir, version, ttl: '1000 days' };
const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
`;

/** Lets the SDK download into the folder and returns the program's path. Throws with one line why it could not. */
export async function fetchBySdk(download: Download): Promise<string> {
  const { folder, environment, signal, site = DOWNLOAD_SITE } = download;
  await probe(site);
  const result = await runCommand({
    command: process.execPath,
    args: [
      ...['--input-type=module', '-e', DOWNLOAD_SCRIPT],
      ...[createRequire(import.meta.url).resolve('@temporalio/testing'), folder, CLI_VERSION],
    ],
    env: environment,
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
  if (result.exitCode !== 0) throw new Error(describe(result.stderr) ?? result.failure);
  const files = await readdir(folder);
  const binary = files.find((name) => name.startsWith('temporal'));
  if (binary === undefined)
    throw new Error(`the SDK left no program, but ${files.join(', ') || 'nothing'}`);
  return join(folder, binary);
}

async function probe(site: string): Promise<void> {
  try {
    await fetch(site, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  } catch (error) {
    throw new Error(`${site} cannot be reached`, { cause: error });
  }
}

function describe(stderr: string): string | undefined {
  return stderr.split('\n').find((line) => /error/i.test(line));
}
