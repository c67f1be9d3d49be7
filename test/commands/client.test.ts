import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('../../src/client.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
/** Prints at the end which modules of Temporal were loaded. */
const SPY = `data:text/javascript,${encodeURIComponent(
  `import { createRequire } from 'node:module';
   const { cache } = createRequire('file:///');
   process.on('exit', () => console.error('loaded', Object.keys(cache).filter((path) => path.includes('@temporalio')).length));`,
)}`;

interface Answer {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

describe('the command line', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'deeprepro-client-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown command', ['rnu', 'paper.md'], /Unknown command 'rnu': did you mean run\?/],
    ['no key', ['run', CLIENT, '--model', 'gpt-5'], /OPENAI_API_KEY is not set/],
  ];
  for (const [what, words, sentence] of REFUSED) {
    it(`refuses ${what} in one sentence, with exit code 2`, async () => {
      const { code, out, err } = await deeprepro(words);
      assert.match(err, sentence);
      assert.doesNotMatch(err, /\n {4}at /);
      assert.deepEqual([code, out], [2, '']);
    });
  }

  it('prints help and version, and refuses, without loading Temporal', async () => {
    for (const words of [['--help'], ['--version'], ['list']]) {
      const { err } = await deeprepro(words, {}, ['--import', SPY]);
      assert.match(err, /loaded 0/, words.join(' '));
    }
  });

  it('ends quietly when whoever reads it has seen enough', async () => {
    const command = `"$0" --import "$1" "$2" --help | head -n 1; exit \${PIPESTATUS[0]}`;
    const child = spawn('bash', ['-c', command, process.execPath, TSX, CLIENT], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DEEPREPRO_HOME: join(folder, 'home') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.stdout.resume();
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.deepEqual([code, err], [0, '']);
  });

  it('names the runs for completion, without more than their folder', async () => {
    await mkdir(join(folder, 'home', 'runs', 'my-paper'), { recursive: true });
    const { code, out, err } = await deeprepro(['__complete', 'runs']);
    await rm(join(folder, 'home', 'runs'), { recursive: true });
    assert.deepEqual([code, out, err], [0, 'my-paper\n', '']);
  });

  it('lists no runs as JSON', async () => {
    const { code, out } = await deeprepro(['list', '--json']);
    assert.deepEqual([code, JSON.parse(out)], [0, []]);
  });

  it('names the line of a broken .env, and not what it holds', async () => {
    const cwd = join(folder, 'broken');
    await mkdir(cwd, { recursive: true });
    await writeFile(join(cwd, '.env'), 'GOOD=1\nsk-secret without a name\n');
    const { code, err } = await deeprepro(['list'], {}, [], cwd);
    assert.equal(code, 2);
    assert.match(err, /Line 2 of .*\.env is not NAME=value/);
    assert.doesNotMatch(err, /secret/);
  });

  it('never prints a key that holds a space', async () => {
    const environment = { OPENAI_API_KEY: 'sk-secret more' };
    const { code, err } = await deeprepro(['run', CLIENT, '--model', 'gpt-5'], environment);
    assert.equal(code, 2);
    assert.match(err, /holds white space/);
    assert.doesNotMatch(err, /secret/);
  });

  function deeprepro(
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    nodeOptions: readonly string[] = [],
    cwd = folder,
  ): Promise<Answer> {
    const child = spawn(process.execPath, ['--import', TSX, ...nodeOptions, CLIENT, ...words], {
      cwd,
      env: { PATH: process.env['PATH'], DEEPREPRO_HOME: join(folder, 'home'), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...texts }));
    });
  }
});
