import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('../../src/client.ts', import.meta.url));
const TSX = import.meta.resolve('tsx');
const MODEL = ['--model', 'gpt-5-mini', '--base-url', 'http://127.0.0.1:9/v1'];

/** Each starts the real program, and none gets as far as a server. */
describe('bad input', function () {
  this.timeout(60_000);
  let folder: string;
  let home: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deeprepro-bad-'));
    home = join(folder, 'home');
    await writeFile(join(folder, 'paper.md'), '# A paper\n\nThe score is a sum.\n');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is told of a LaTeX file that only reads others, and no run is made', async () => {
    const text = '\\documentclass{article}\\begin{document}\\input{a}\\end{document}';
    await writeFile(join(folder, 'only.tex'), text);
    await refuses(['run', 'only.tex', ...MODEL], 2, /another file, a, .*latexpand/);
    assert.equal((await deeprepro(['list'])).out, NO_RUNS);
  });

  it('is told of an empty request', () =>
    refuses(['run', 'paper.md', ...MODEL, '--request', ' '], 2, /The request is empty/));

  it('is told of a data folder of a newer version, also by commands that only read', async () => {
    await mkdir(home);
    await writeFile(join(home, 'version.json'), '{"schemaVersion":99}');
    for (const words of [['list'], ['status', 'x'], ['resume'], ['run', 'paper.md', ...MODEL]])
      await refuses(words, 1, /newer deeprepro \(schema 99.*update deeprepro/);
    assert.equal((await deeprepro(['down'])).code, 0);
  });

  it('is told of a data folder below a file', async () => {
    home = join(folder, 'paper.md', 'home');
    for (const words of [['list'], ['status', 'x'], ['run', 'paper.md', ...MODEL]])
      await refuses(words, 2, /cannot be made: a file stands in its way.*DEEPREPRO_HOME/);
  });

  it('is told at once of a data folder where the kernel lets nobody make one', async function () {
    if (process.platform !== 'linux') this.skip();
    home = '/proc/deeprepro';
    await refuses(['run', 'paper.md', ...MODEL], 2, /\/proc\/deeprepro cannot be written/);
  });

  it('is told how to mend a damaged record, and of a folder that has none', async () => {
    await mkdir(join(home, 'runs', 'damaged'), { recursive: true });
    await mkdir(join(home, 'runs', 'empty'));
    await writeFile(join(home, 'runs', 'damaged', 'run.json'), '{"schemaVersion":1,');
    await refuses(['status', 'damaged'], 1, /to be JSON\. Restore it from a copy/);
    await refuses(['status', 'empty'], 1, /holds no run\.json\. Restore it/);
  });

  it('is told by `worker` of a server that does not answer', async () => {
    const { code, err } = await deeprepro(['worker'], { TEMPORAL_ADDRESS: '127.0.0.1:9' });
    assert.match(
      err,
      /^The Temporal server at 127\.0\.0\.1:9 cannot be reached: check TEMPORAL_ADDRESS.*\n$/,
    );
    assert.equal(code, 2);
  });

  const NO_RUNS = 'There are no runs yet: `deeprepro run PAPER --model NAME` starts one.\n';

  /** One sentence on stderr and nothing else. */
  async function refuses(words: readonly string[], exitCode: number, sentence: RegExp) {
    const { code, out, err } = await deeprepro(words);
    assert.match(err, sentence, words.join(' '));
    assert.match(err, /^[^\n]+\n$/);
    assert.deepEqual([code, out], [exitCode, ''], words.join(' '));
  }

  function deeprepro(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, ['--import', TSX, CLIENT, ...words], {
      cwd: folder,
      env: { PATH: process.env['PATH'], DEEPREPRO_HOME: home, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
    return new Promise<{ code: number | null; out: string; err: string }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...texts }));
    });
  }
});
