import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listProcesses } from '../../src/processes/list-processes.ts';
import {
  runInSandbox,
  sandboxAvailable,
  type SandboxRequest,
  type SandboxResult,
} from '../../src/processes/sandbox.ts';

type Ran = Extract<SandboxResult, { kind: 'ran' }>;

describe('runInSandbox', () => {
  let folder: string;

  before(async function () {
    const availability = await sandboxAvailable();
    if (availability.isAvailable) return;
    console.log(`      skipped: ${availability.reason}`);
    this.skip();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function bash(script: string, wish: Partial<SandboxRequest> = {}): Promise<Ran> {
    const result = await runInSandbox({
      ...{ command: 'bash', args: ['-c', script], workFolder: folder },
      ...wish,
      limits: { wallMs: 20_000, ...wish.limits },
    });
    assert.ok(result.kind === 'ran', JSON.stringify(result));
    return result;
  }

  it('returns what a command printed and its exit code', async () => {
    const { exitCode, stdout, stderr, hit, cancelled } = await bash(
      'echo out; echo no >&2; exit 3',
    );
    assert.deepEqual([exitCode, stdout, stderr, hit, cancelled], [3, 'out\n', 'no\n', null, false]);
  });

  it('lets the command change its work folder, and keeps that', async () => {
    await writeFile(join(folder, 'given'), 'old', { mode: 0o600 });
    assert.equal((await bash('pwd; cat given; echo new > given; mkdir a; touch a/b')).exitCode, 0);
    assert.equal(await readFile(join(folder, 'given'), 'utf8'), 'new\n');
    assert.ok(existsSync(join(folder, 'a/b')));
  });

  it('gives the command no way to change anything else', async () => {
    const { stdout } = await bash(
      'for at in / /usr /usr/bin /etc /dev /proc; do touch $at/x 2>/dev/null && echo $at; done; true',
    );
    assert.equal(stdout, '');
  });

  it('shows none of the files of this machine', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    try {
      await writeFile(join(outside, 'secret'), 'secret');
      await chmod(outside, 0o777);
      await symlink(join(outside, 'secret'), join(folder, 'link'));
      const { stdout } = await bash(
        `cat link ${outside}/secret /etc/passwd /etc/hostname 2>/dev/null; ls / /tmp; ls -d /home /root /etc/ssh; true`,
      );
      const names = ['/:', 'bin', 'dev', 'etc', 'lib', 'lib64', 'proc', 'tmp', 'usr', 'w'];
      assert.equal(stdout, [...names, '', '/tmp:', ''].join('\n'));
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('keeps no link, and nothing of a link is reached by what we keep', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    try {
      await writeFile(join(outside, 'canary'), 'as it was');
      await bash(
        `ln -s ${outside} out; ln -s ${outside}/canary canary; ln -s /etc/passwd p; mkfifo pipe; mkdir d; echo a > d/a; ln d/a d/b; chmod 4755 d/b`,
      );
      assert.deepEqual((await readdir(folder)).sort(), ['d']);
      assert.deepEqual((await readdir(join(folder, 'd'))).sort(), ['a', 'b']);
      const { mode, nlink } = await stat(join(folder, 'd/b'));
      assert.deepEqual([mode & 0o7777, nlink], [0o755, 1]);
      // A folder of the next command where a link of the last one was.
      await bash(`mkdir out; echo changed > out/canary`);
      assert.equal(await readFile(join(outside, 'canary'), 'utf8'), 'as it was');
      assert.equal(await readFile(join(folder, 'out/canary'), 'utf8'), 'changed\n');
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('keeps files as they are: content, names, times, the right to be run, and what is removed', async () => {
    const long = `${'a-long-name-'.repeat(15)}/${'b'.repeat(200)}`;
    await writeFile(join(folder, 'removed'), 'x');
    await bash(
      `rm removed; mkdir empty; printf 'a\\0b' > bytes; echo > 'lr=0.1: é'; echo > tool; chmod +x tool; touch -d @86400 bytes; mkdir -p ${long.split('/')[0] ?? ''}; echo > ${long}`,
    );
    assert.deepEqual(
      (await readdir(folder, { recursive: true })).sort(),
      [long.split('/')[0] ?? '', long, 'bytes', 'empty', 'lr=0.1: é', 'tool'].sort(),
    );
    assert.deepEqual(await readFile(join(folder, 'bytes')), Buffer.from('a\0b'));
    assert.equal((await stat(join(folder, 'bytes'))).mtimeMs, 86_400_000);
    assert.equal((await stat(join(folder, 'tool'))).mode & 0o111, 0o111);
    assert.equal(
      (await bash('cmp bytes <(printf "a\\0b") && test -x tool -a -d empty')).exitCode,
      0,
    );
  });

  it('throws changes away when nothing is to be kept, and when we end a command', async () => {
    await writeFile(join(folder, 'given'), 'as it was');
    await bash('echo new > given', { keepsChanges: false });
    await bash('echo new > given; sleep 30', { limits: { wallMs: 500 } });
    await bash('echo new > given; yes', { limits: { outputBytes: 1000 } });
    assert.equal(await readFile(join(folder, 'given'), 'utf8'), 'as it was');
  });

  it('takes a work folder and binds that are ours alone', async () => {
    const bound = await mkdtemp(join(tmpdir(), 'private-'));
    try {
      await mkdir(join(bound, 'environment'), { mode: 0o755 });
      await writeFile(join(bound, 'environment/tool'), 'a tool');
      await writeFile(join(bound, 'file'), 'a file', { mode: 0o644 });
      await mkdir(join(folder, 'work'), { mode: 0o700 });
      await writeFile(join(folder, 'work/given'), 'given', { mode: 0o600 });
      const { stdout } = await bash('cat given /opt/tool /tmp/file', {
        workFolder: join(folder, 'work'),
        readOnly: [
          { from: join(bound, 'environment'), to: '/opt' },
          { from: join(bound, 'file'), to: '/tmp/file' },
        ],
      });
      assert.equal(stdout, 'givena toola file');
    } finally {
      await rm(bound, { recursive: true });
    }
  });

  it('lets an installer write to a folder for good', async () => {
    const target = await mkdtemp(join(tmpdir(), 'target-'));
    try {
      await bash('echo installed > /environment/x', {
        readWrite: [{ from: target, to: '/environment' }],
      });
      assert.equal(await readFile(join(target, 'x'), 'utf8'), 'installed\n');
    } finally {
      await rm(target, { recursive: true });
    }
  });

  it('shows what is bound, for reading only', async () => {
    const bound = await mkdtemp(join(tmpdir(), 'bound-'));
    try {
      await chmod(bound, 0o777);
      await writeFile(join(bound, 'tool'), 'a tool');
      const { stdout } = await bash('cat /opt/tool; touch /opt/x 2>/dev/null || echo ,refused', {
        readOnly: [{ from: bound, to: '/opt' }],
      });
      assert.equal(stdout, 'a tool,refused\n');
    } finally {
      await rm(bound, { recursive: true });
    }
  });

  it('has no network, not even to this machine', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    try {
      const { stdout } = await bash(
        `(cat < /dev/tcp/127.0.0.1/${port}) 2>/dev/null || echo refused; tail -n +3 /proc/net/dev | cut -d: -f1`,
      );
      assert.match(stdout, /^refused\n\s*lo\n$/);
      const open = await bash(`cat < /dev/tcp/127.0.0.1/${port}`, { hasNetwork: true });
      assert.equal(open.stdout, 'reached', 'an installer has it');
    } finally {
      server.close();
    }
  });

  it('shows none of our variables, not in the environment of the first process either', async () => {
    process.env['SANDBOX_TEST_KEY'] = 'very-secret';
    try {
      const { stdout } = await bash('env; tr "\\0" "\\n" < /proc/1/environ', {
        variables: { SEED: '1' },
      });
      assert.ok(!stdout.includes('very-secret') && !stdout.includes(process.cwd()));
      const names = stdout.split('\n').map((line) => line.split('=')[0] ?? '');
      const usual = ['', '_', 'HOME', 'LANG', 'PATH', 'PWD', 'SEED', 'SHLVL', 'USER'];
      assert.deepEqual([...new Set(names)].sort(), usual.sort());
    } finally {
      delete process.env['SANDBOX_TEST_KEY'];
    }
  });

  it('runs as nobody in particular, who cannot become more', async () => {
    const { stdout } = await bash(
      'id -u; grep CapEff /proc/self/status; unshare -U true 2>/dev/null || echo refused; ls -d /proc/[0-9]* | wc -l',
    );
    assert.match(stdout, /^1000\nCapEff:\s+0{16}\nrefused\n[2-6]\n$/);
  });

  it('ends all that was started when the time is over, also what has left its session', async () => {
    const mark = `97${process.pid}`;
    const { exitCode, hit } = await bash(
      `trap '' TERM; (setsid nohup sleep ${mark} > /dev/null 2>&1 &); (sleep ${mark} &); sleep ${mark}`,
      { limits: { wallMs: 700 } },
    );
    assert.deepEqual([exitCode, hit], [null, 'time']);
    assert.deepEqual(await running(`sleep ${mark}`), []);
  });

  it('ends what a command leaves behind when it ends itself', async () => {
    const mark = `96${process.pid}`;
    const { exitCode } = await bash(`(setsid nohup sleep ${mark} > /dev/null 2>&1 &); exit 0`);
    assert.equal(exitCode, 0);
    assert.deepEqual(await running(`sleep ${mark}`), []);
  });

  it('ends all when it is cancelled, also before it has started', async () => {
    const mark = `95${process.pid}`;
    const controller = new AbortController();
    const result = bash(`sleep ${mark}`, { signal: controller.signal });
    while ((await running(`sleep ${mark}`)).length === 0) await new Promise(setImmediate);
    controller.abort();
    assert.equal((await result).cancelled, true);
    assert.deepEqual(await running(`sleep ${mark}`), []);
    assert.equal((await bash('true', { signal: controller.signal })).cancelled, true);
  });

  it('cuts a flood of output', async () => {
    const { exitCode, stdout, hit } = await bash('yes', { limits: { outputBytes: 50_000 } });
    assert.deepEqual([exitCode, hit], [null, 'output']);
    assert.ok(stdout.length <= 50_000 && stdout.length > 0);
  });

  it('refuses more memory than the limit', async () => {
    const { exitCode, hit } = await bash(`perl -e '$x = "a" x 300_000_000'`, {
      limits: { memoryBytes: 200_000_000 },
    });
    assert.notEqual(exitCode, 0);
    assert.equal(hit, 'memory');
  });

  it('is ended before others where memory runs out', async () => {
    const { stdout } = await bash('cat /proc/self/oom_score_adj');
    assert.equal(stdout, '1000\n');
  });

  it('refuses more in the work folder than the limit, however many files it is spread over', async () => {
    const { exitCode, stdout, hit } = await bash(
      'set -e; for i in 1 2 3 4 5 6 7 8; do head -c 3000000 /dev/zero > $i; echo $i; done',
      { limits: { diskBytes: 16_000_000 } },
    );
    assert.equal(stdout, '1\n2\n3\n4\n5\n');
    assert.deepEqual([exitCode, hit], [1, 'disk']);
  });

  it('refuses what is written to files that have no name any more', async () => {
    const { stdout } = await bash(
      'for i in 1 2 3 4; do exec {f}> x; rm x; head -c 3000000 /dev/zero >&$f 2>/dev/null && echo $i; done; true',
      { limits: { diskBytes: 8_000_000 } },
    );
    assert.equal(stdout, '1\n2\n');
  });

  it('keeps nothing of a command that leaves files without end', async () => {
    await writeFile(join(folder, 'given'), 'as it was');
    const script = 'mkdir d; for (1..20_500) { open my $f, ">", "d/$_" or die }';
    const { hit } = await bash(`perl -e '${script}'; echo new > given`);
    assert.equal(hit, 'disk');
    assert.deepEqual(await readdir(folder), ['given']);
    assert.equal(await readFile(join(folder, 'given'), 'utf8'), 'as it was');
  });

  it('refuses larger files than the limit', async () => {
    const { exitCode, hit } = await bash('head -c 3000000 /dev/zero > big', {
      limits: { fileBytes: 1_000_000 },
    });
    assert.equal(exitCode, 153);
    assert.equal(hit, 'file-size');
    assert.equal((await readFile(join(folder, 'big'))).length, 1_000_000);
  });

  it('refuses to fill memory by way of scratch files', async () => {
    const fill = 'head -c 80000000 /dev/zero >';
    const { stdout } = await bash(
      `${fill} /tmp/x 2>/dev/null || echo tmp; ${fill} /dev/shm/x 2>/dev/null || echo shm`,
      { limits: { scratchBytes: 64_000_000 } },
    );
    assert.equal(stdout, 'tmp\nshm\n');
  });

  it('refuses more processes than the limit, however many we have ourselves', async () => {
    const script = 'for (1..40) { $p = fork // die "$_: $!\\n"; if (!$p) { sleep 30; exit } }';
    const { exitCode, stderr, hit } = await bash(`exec perl -e '${script}'`, {
      limits: { processes: 20 },
    });
    assert.notEqual(exitCode, 0);
    assert.ok(Number.parseInt(stderr) <= 20, stderr);
    assert.equal(hit, 'processes');
  });

  it('ends a process that has used its share of the processor', async () => {
    const { hit } = await bash('while :; do :; done', { limits: { cpuSeconds: 1 } });
    assert.equal(hit, 'cpu');
  });
});

describe('a sandbox that is not there', () => {
  let folder: string;
  const path = process.env['PATH'];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
    process.env['PATH'] = folder;
  });
  afterEach(async () => {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true });
  });

  it('is said to be missing, with what to install, and nothing is run', async () => {
    const availability = await sandboxAvailable();
    assert.ok(!availability.isAvailable);
    const linux = process.platform === 'linux';
    assert.match(availability.reason, linux ? /install bubblewrap/ : /needs Linux/);
    const args = ['-c', 'touch ran'];
    const result = await runInSandbox({ command: '/bin/sh', args, workFolder: folder });
    assert.deepEqual(result, { kind: 'unavailable', reason: availability.reason });
    assert.ok(!existsSync(join(folder, 'ran')));
  });
});

async function running(commandLine: string): Promise<string[]> {
  const all = await listProcesses();
  return all.map((each) => each.commandLine).filter((line) => line === commandLine);
}
