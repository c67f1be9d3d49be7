// Makes a clone ready for what follows: packages, build, Temporal server. Says a line for each slow step, and nothing
// when there is nothing to do. `--packages` does the first step only. Uses nothing but Node, since nothing is there.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];

try {
  refuseOldNode();
  await installPackages();
  if (!process.argv.includes('--packages')) {
    await build();
    await fetchServer();
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  throw new Error(
    `deeprepro needs Node ${OLDEST_NODE.join('.')} or newer and this is ${process.versions.node}: install a newer one (https://nodejs.org).`,
  );
}

async function installPackages() {
  const wanted = hashFiles(['package-lock.json']);
  await whenStale(join(root, 'node_modules', '.deeprepro-stamp'), wanted, async () => {
    await timed('Installing packages', () => run('npm', ['ci', '--no-audit', '--no-fund']));
  });
}

async function build() {
  const settings = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts/bundle.mjs',
  ];
  const wanted = hashFiles([...settings, ...listFiles('src')]);
  await whenStale(join(root, 'dist', '.deeprepro-stamp'), wanted, async () => {
    // A file that the sources no longer have must not live on in the build.
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    await timed('Building', () => run('npm', ['run', '--silent', 'compile']));
  });
}

async function fetchServer() {
  // Whoever brings a server needs none of ours.
  if (process.env.TEMPORAL_ADDRESS) return;
  const { findTemporal } = await import('../dist/local/temporal-binary.js');
  await findTemporal({ environment: process.env, report: (line) => console.error(line) });
}

/** Does `work` unless the stamp says that it was done for `wanted`; one process at a time. */
async function whenStale(stamp, wanted, work) {
  const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (isFresh()) return;
  await withLock(join(root, '.cache', 'prepare'), async () => {
    if (isFresh()) return;
    await work();
    writeFileSync(stamp, wanted);
  });
}

async function timed(what, work) {
  console.error(`${what} …`);
  const startedAtMs = Date.now();
  await work();
  console.error(`${what} took ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s.`);
}

/** Runs a command quietly; its output is shown when it fails. */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.once('error', (error) =>
      reject(new Error(`${command} cannot be started: ${error.message}`)),
    );
    child.once('close', (code) => {
      if (code === 0) return resolve();
      reject(
        new Error(
          `${output}\n\`${[command, ...args].join(' ')}\` failed with exit code ${code}: see above.`,
        ),
      );
    });
  });
}

function hashFiles(files) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of [...files].sort())
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function listFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)));
}
