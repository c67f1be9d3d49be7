import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { npmPack } from '../fakes/npm-pack.ts';

const run = promisify(execFile);
const MANIFEST = new URL('../../package.json', import.meta.url);

describe('the package, installed', function () {
  this.timeout(600_000);
  let folder = '';
  let program = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'));
    const { filename } = await npmPack(['--pack-destination', folder]);
    const prefix = join(folder, 'prefix');
    await run('npm', [
      ...['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund'],
      join(folder, filename),
    ]);
    program = join(prefix, 'bin', 'deeprepro');
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  /** In a folder of nothing, as a person who has just installed it. */
  async function deeprepro(...words: readonly string[]): Promise<string> {
    const home = join(folder, 'home');
    await mkdir(home, { recursive: true });
    const { PATH = '', XDG_CACHE_HOME = join(process.env['HOME'] ?? '', '.cache') } = process.env;
    // The cache is kept, so that no Temporal server has to be fetched.
    const env = { PATH, HOME: home, XDG_CACHE_HOME };
    const { stdout } = await run(program, [...words], { cwd: home, env });
    return stdout;
  }

  it('says its version', async () => {
    const { version } = z
      .looseObject({ version: z.string() })
      .parse(JSON.parse(await readFile(MANIFEST, 'utf8')));
    assert.equal((await deeprepro('--version')).trim(), version);
  });

  it('carries out the demo, which ends complete', async () => {
    const said = await deeprepro('demo');
    assert.match(said, /: complete\b/);
  });
});
