import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import type { Ports } from '../../src/commands/ports.ts';
import { buildProgram } from '../../src/commands/program.ts';
import { sentenceOf } from '../../src/commands/wrong-use.ts';
import { createBatchFolders } from '../../src/store/batch-folders.ts';
import { aBench, aStartedRun, aStatus, type Bench } from '../runs/a-run.ts';

describe('the program', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['an unknown option', ['run', 'p.md', '--bugdet', '3'], /'--bugdet': did you mean --budget\?/],
    ['no command', [], /Say what to do/],
    ['a missing argument', ['status'], /Missing required argument 'name'.*status --help/],
    ['a word too many', ['report', 'a', 'b'], /Too many arguments/],
    [
      'a value out of range',
      ['run', 'p.md', '--parallel', '65'],
      /--parallel .* 1 to 64, got "65"/,
    ],
    ['no number', ['run', 'p.md', '--budget', 'much'], /--budget to be an amount above 0.*"much"/],
    ['an unknown choice', ['run', 'p.md', '--on-budget', 'x'], /"wait" or "stop", got "x"/],
    ['no model', ['run', 'p.md'], /No model is named.*--model.*DEEPREPRO_MODEL/],
    [
      'a base URL that is none',
      ['run', 'p.md', '--model', 'm', '--base-url', 'x'],
      /"x" is not an http/,
    ],
    [
      'a key as --key-env',
      ['run', 'p.md', '--model', 'm', '--key-env', 'sk-1'],
      /not the key itself/,
    ],
    [
      'a replay folder that is missing',
      ['run', 'p.md', '--replay', '/nowhere'],
      /no folder \/nowhere/,
    ],
    [
      'a request file that is missing',
      ['run', 'p.md', '--request', '@/no'],
      /no file \/no to read/,
    ],
    ['an unknown run', ['status', 'nothing'], /no run "nothing"/],
    ['a strange run name', ['export', '../x', '--out', 'y'], /"\.\.\/x" cannot be a run's name/],
    ['an export of nothing', ['export', 'x'], /--out DIR.*--replies DIR/],
    ['a model for all runs', ['resume', '--model', 'm'], /of one run: `deeprepro resume NAME/],
    ['a worker without a server', ['worker'], /set TEMPORAL_ADDRESS/],
  ];
  for (const [what, words, sentence] of REFUSED) {
    it(`refuses ${what}`, async () => assert.match((await run(words)).refusal, sentence));
  }

  it('shows an example in the help of every command', async () => {
    const names = buildProgram(portsOf(bench, [])).commands.map((command) => command.name());
    assert.ok(names.length >= 16);
    for (const name of names)
      assert.match((await run([name, '--help'])).out, /Examples?:\n {2}\$ .*deeprepro/, name);
  });

  it('prints a status that ends as JSON, with its version', async () => {
    await aStartedRun(bench, { outcome: 'complete' });
    const { out } = await run(['status', 'my-paper', '--json']);
    assert.match(out, /^\{"schemaVersion":1,"name":"my-paper",.*"outcome":"complete".*\}$/);
  });

  it('lists the other runs where one cannot be read', async () => {
    await aStartedRun(bench);
    await aStartedRun(bench, { outcome: 'stopped' });
    const { ports } = bench;
    const read = ports.folders.read.bind(ports.folders);
    const folders = {
      ...ports.folders,
      read: (name: string) =>
        name === 'my-paper' ? Promise.reject(new Error('A newer deeprepro wrote it.')) : read(name),
    };
    const { out } = await run(['list'], { ...bench, ports: { ...ports, folders } });
    assert.match(out, /my-paper {4}A newer deeprepro wrote it\./);
    assert.match(out, /my-paper-2 {2}stopped/);
  });

  it('ends a watch of a run that waits for a person with exit code 4 and the remedy', async () => {
    await aStartedRun(bench, { waits: [] });
    const wait = { kind: 'key', step: '', message: 'No key.', remedy: 'Set it.' } as const;
    bench.engine.answer = async () => aStatus({ waits: [wait], live: [] });
    const { code, out, err } = await run(['watch', 'my-paper']);
    assert.equal(code, 4);
    assert.match(out, /Waits: No key\. Set it\./);
    assert.match(err, /No key\. Set it\./);
  });

  async function run(words: readonly string[], on: Bench = bench) {
    const lines: string[] = [];
    const ports = portsOf(on, lines);
    let refusal = '';
    try {
      const program = buildProgram(ports);
      await program.parseAsync(words, { from: 'user' }).catch((error: unknown) => {
        if (error instanceof CommanderError) refusal = sentenceOf(error, program, words) ?? '';
        else throw error;
      });
    } catch (error) {
      refusal =
        error instanceof Error && error.name === 'UsageError' ? error.message : String(error);
    }
    const told = (mark: string) =>
      lines.flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : [])).join('\n');
    return { refusal, out: told('out '), err: told('err '), code: ports.exitCode() };
  }
});

function portsOf(
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
      ...{ home: folder, isRemote: false, model: undefined, baseUrl: undefined },
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
    demo: { paper: '', replies: '' },
  };
}
