import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { buildProgram } from '../../src/commands/program.ts';
import { sentenceOf } from '../../src/commands/wrong-use.ts';
import { aBench, aStartedRun, aStatus, type Bench } from '../runs/a-run.ts';
import { commitRound } from '../runs/committed-rounds.ts';
import { portsOf } from './command-ports.ts';

describe('the program', function () {
  this.timeout(20_000);
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
    [
      'a paper that is not there, before a key',
      ['run', 'nosuch.pdf', '--model', 'gpt-5'],
      /nosuch\.pdf/,
    ],
    ['no model', ['run', 'README.md'], /No model is named.*--model.*DEEPREPRO_MODEL/],
    [
      'a base URL that is none',
      ['run', 'README.md', '--model', 'm', '--base-url', 'x'],
      /"x" is not an http/,
    ],
    [
      'a key as --key-env',
      ['run', 'README.md', '--model', 'm', '--key-env', 'sk-1'],
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
    ['a round to nowhere', ['export', 'x', '--round', '2'], /where round 2 .* --out DIR/],
    ['a round that is no number', ['diff', 'x', 'one', '2'], /<from> to be a whole number/],
    ['a model for all runs', ['resume', '--model', 'm'], /of one run: `deeprepro resume NAME/],
    ['a worker without a server', ['worker'], /set TEMPORAL_ADDRESS/],
  ];
  for (const [what, words, sentence] of REFUSED) {
    it(`refuses ${what}`, async () => assert.match((await run(words)).refusal, sentence));
  }

  it('refuses an export of nothing', async () => {
    await aStartedRun(bench);
    assert.match((await run(['export', 'my-paper'])).refusal, /--out DIR.*--replies DIR/);
  });

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

  it('brings the folder of a run that nobody follows up to date when it is looked at', async () => {
    const out = join(bench.folder, 'out');
    await aStartedRun(bench, { out });
    bench.engine.answer = () => Promise.reject(new Error('busy'));
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await run(['status', 'my-paper']);
    assert.equal(await readFile(join(out, 'a.py'), 'utf8'), 'a = 1\n');
    await writeFile(join(out, 'a.py'), 'mine\n');
    await commitRound(bench, { 'a.py': 'a = 2\n' }, { report: '# Report\n' });
    const watched = await run(['watch', 'my-paper']);
    assert.match(watched.out, /Left alone, because you changed it: a\.py/);
    assert.match(watched.out, /Repository: .*out \(.*round 2\)/);
    assert.equal((await run(['status', 'my-paper'])).err, '');
    await rm(join(out, 'a.py'));
    assert.match((await run(['export', 'my-paper'])).out, /as of round 2, 1 written now/);
  });

  it('says that a folder could not be written, and how to have the repository elsewhere', async () => {
    const out = join(bench.folder, 'out');
    await aStartedRun(bench, { out });
    await writeFile(out, 'a file');
    await commitRound(bench, { 'a.py': 'a = 1\n' }, { report: '# Report\n' });
    const { code, err } = await run(['watch', 'my-paper']);
    assert.match(
      err,
      /could not be written: .*it is a file.* `deeprepro export my-paper --out DIR`/,
    );
    assert.equal(code, 0);
  });

  it('refuses a file that a run plans as not answered yet, and another as never asked for', async () => {
    await aStartedRun(bench);
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    const planned = await run(['transcript', 'my-paper', 'requirements.txt']);
    assert.match(planned.refusal, /no reply for requirements\.txt yet/);
    assert.match((await run(['transcript', 'my-paper', 'b.py'])).refusal, /never asked for b\.py/);
  });

  it('advises no resume of a run with nothing left to do', async () => {
    await aStartedRun(bench, { outcome: 'complete' });
    assert.doesNotMatch((await run(['retry', 'my-paper'])).refusal, /resume/);
    await aStartedRun(bench, { outcome: 'stopped' });
    assert.match((await run(['retry', 'my-paper-2'])).refusal, /resume my-paper-2/);
  });

  it('refuses a cap in tokens that no call fits in, as it is meant in dollars', async () => {
    const account = {
      unit: 'tokens',
      cap: 1e6,
      spent: 0,
      maybePaid: 0,
      calls: 0,
      reused: 0,
    } as const;
    await aStartedRun(bench, { account });
    assert.match((await run(['budget', 'my-paper', '5'])).refusal, /counts tokens.* 5 tokens/);
    assert.deepEqual(bench.engine.told, []);
    assert.match((await run(['budget', 'my-paper', '2000000'])).out, /capped at/);
  });

  it('compares two rounds', async () => {
    await aStartedRun(bench);
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await commitRound(bench, { 'a.py': 'a = 2\n' });
    assert.match((await run(['diff', 'my-paper', '1', '2'])).out, /-a = 1\n\+a = 2$/);
    assert.match((await run(['diff', 'my-paper', '2', '2'])).out, /do not differ/);
    assert.match((await run(['diff', 'my-paper', '0', '1', '--json'])).out, /"added":\["a\.py"\]/);
  });

  it('shows why each round was planned so, and what it amended', async () => {
    await aStartedRun(bench);
    const first = { rationale: 'The base first.', amendments: ['Added src/a.py: it is missing.'] };
    await commitRound(bench, { 'a.py': 'a = 1\n' }, { guidance: first });
    const second = { rationale: 'Then\nthe rest.', amendments: [] };
    await commitRound(bench, { 'a.py': 'a = 2\n' }, { guidance: second });
    const told = [
      / {2}why: The base first\.\n {2}plan: Added src\/a\.py: it is missing\.$/m,
      / {2}why: Then the rest\.$/m,
    ];
    const rounds = (await run(['rounds', 'my-paper'])).out;
    for (const lines of told) assert.match(rounds, lines);
    assert.match((await run(['round', 'my-paper', '1'])).out, told[0] ?? /^$/);
    const diff = (await run(['diff', 'my-paper', '1', '2'])).out;
    assert.match(diff, /^Round 2\n {2}why: Then the rest\.\n\ndiff --git [^]*\+a = 2$/);
    assert.match((await run(['diff', 'my-paper', '2', '0', '--stat'])).out, told[0] ?? /^$/);
    for (const words of [['rounds'], ['round', '1'], ['diff', '0', '2']]) {
      const [verb = '', ...others] = words;
      const { out } = await run([verb, 'my-paper', ...others, '--json']);
      assert.match(out, /"rationale":"The base first\."/, verb);
      assert.match(out, /"amendments":\["Added src/, verb);
    }
  });

  it('prints how things stand where a run has no report yet', async () => {
    await aStartedRun(bench);
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    assert.match((await run(['report', 'my-paper'])).out, /Not ended: as of round 1/);
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
