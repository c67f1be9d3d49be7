import assert from 'node:assert/strict';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProduced, readProduced } from '../../../src/processes/read-produced.ts';
import {
  runInSandbox,
  sandboxAvailable,
  type SandboxResult,
} from '../../../src/processes/sandbox.ts';
import { commandOf, HOSTILE_LIMITS, type HostileProgram } from './hostile-program.ts';
import { startHostileWorld, type HostileWorld } from './hostile-world.ts';

/** Programs at once: as many as the smallest machine that tests run on has cores, and one that waits. */
const AT_ONCE = 3;
const TOLERANCE = 0.2;
/** For starting and ending, on a machine that others use. */
const START_MS = 500;
/** Names at which a tool of ours would look for results. */
const RESULT_NAMES = ['metrics.json', 'results.csv', 'results/canary', 'out/canary', 'given-link'];
const RESULT_BYTES = 1_000_000;

interface Tried {
  readonly result: SandboxResult;
  readonly seconds: number;
  /** What came of it that must not be, a sentence each. */
  readonly faults: readonly string[];
}

/** Tests that try each program in the sandbox and look at what it reached, left and used. */
export function describeHostilePrograms(programs: readonly HostileProgram[]): void {
  describe('a program in the sandbox that', function () {
    this.timeout(120_000);
    let world: HostileWorld;
    const tried = new Map<HostileProgram, Promise<Tried>>();
    const measured: string[] = [];

    before(async function () {
      const availability = await sandboxAvailable();
      if (!availability.isAvailable) {
        console.log(`      skipped: ${availability.reason}`);
        this.skip();
      }
      world = await startHostileWorld();
      const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
      for (const [index, program] of programs.entries()) {
        const lane = index % AT_ONCE;
        const attempt = (lanes[lane] ?? Promise.resolve()).then(() => tryProgram(program, world));
        tried.set(program, attempt);
        lanes[lane] = attempt.then(ignore, ignore);
      }
    });
    after(async () => {
      await Promise.allSettled(tried.values());
      await world?.end();
      if (measured.length > 0) console.log(`\n${measured.join('\n')}\n`);
    });

    for (const program of programs)
      it(`${program.name} reaches nothing, leaves nothing and keeps to its limits`, async function () {
        const attempt = tried.get(program);
        if (attempt === undefined) this.skip();
        const { result, seconds, faults } = await attempt;
        assert.ok(result.kind === 'ran', JSON.stringify(result));
        const { exitCode, stdout, stderr, hit } = result;
        const end = `${exitCode} ${hit} ${stdout.slice(-500)} ${stderr.slice(-800)}`;
        assert.deepEqual(faults, [], end);
        if (program.expects) assert.equal(hit, program.expects.hit, end);
        const { wallMs } = { ...HOSTILE_LIMITS, ...program.limits };
        assert.ok(seconds * 1000 <= wallMs * (1 + TOLERANCE) + START_MS, `took ${seconds} s`);
        if (program.measures !== undefined) measured.push(checkAmount(program, stdout, seconds));
      });

    it('is one of those above leaves no file of the sandbox and no process', async () => {
      await Promise.all(tried.values());
      assert.deepEqual(await readdir(world.scratch), []);
      assert.deepEqual(await world.findDamage(), []);
    });
  });
}

async function tryProgram(program: HostileProgram, world: HostileWorld): Promise<Tried> {
  const workFolder = await mkdtemp(join(world.scratch, 'work-'));
  const mark = `31536000.${process.pid}${Math.random().toString().slice(2, 10)}`;
  const { CANARY_FILE: file = '', CANARY_FOLDER: folder = '' } = world.variables;
  await writeFile(join(workFolder, 'given.txt'), 'given');
  await symlink(file, join(workFolder, 'given-link'));
  await symlink(folder, join(workFolder, 'given-folder'));
  const begin = performance.now();
  try {
    const result = await runInSandbox({
      ...commandOf(program),
      workFolder,
      variables: { ...world.variables, CANARY_MARK: mark },
      limits: { ...HOSTILE_LIMITS, ...program.limits },
    });
    const seconds = (performance.now() - begin) / 1000;
    const left = await processesWith(mark);
    return {
      ...{ result, seconds },
      faults: [
        ...left.map((line) => `left running: ${line}`),
        ...(await world.findDamage()),
        ...(result.kind === 'ran' ? faultsOf(program, result, world.secret) : []),
        ...(await faultsOfKept(workFolder, result, world.secret)),
      ],
    };
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

function faultsOf(
  { printsNothing }: HostileProgram,
  { stdout, stderr }: Extract<SandboxResult, { kind: 'ran' }>,
  secret: string,
): string[] {
  const printed = stdout + stderr;
  return [
    ...(printed.includes(secret) ? ['it printed the secret'] : []),
    ...(/REACHED.*/.test(stdout) ? [/REACHED.*/.exec(stdout)?.[0] ?? ''] : []),
    ...(printsNothing && stdout.trim() !== '' ? [`it printed ${stdout.slice(0, 80)}`] : []),
  ];
}

/** What we would read of its results. */
async function faultsOfKept(
  folder: string,
  result: SandboxResult,
  secret: string,
): Promise<string[]> {
  const faults: string[] = [];
  const { files } = await listProduced(folder, 500);
  for (const path of [...RESULT_NAMES, ...files.map((each) => each.path)]) {
    const produced = await readProduced(folder, path, RESULT_BYTES);
    if (produced.kind === 'file' && produced.content.includes(secret))
      faults.push(`${path} holds the secret`);
  }
  // Of a command that we ended the folder stays as it was given, with the links that we put there.
  if (result.kind !== 'ran' || result.exitCode === null || result.hit === 'disk') return faults;
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await lstat(join(folder, name));
    if (!found.isFile() && !found.isDirectory()) faults.push(`${name} is kept, and no file`);
    if ((found.mode & 0o6000) !== 0) faults.push(`${name} gives rights`);
  }
  return faults;
}

/** How much of a limit it got, as a row of a table. */
function checkAmount({ name, measures, limits }: HostileProgram, stdout: string, seconds: number) {
  const all = { ...HOSTILE_LIMITS, ...limits };
  const limit = {
    ...{ processes: all.processes, memory: all.memoryBytes, scratch: all.scratchBytes },
    ...{ disk: all.diskBytes, file: all.fileBytes, time: all.wallMs / 1000 },
    cpu: all.cpuSeconds * 1000,
  }[measures ?? 'time'];
  const gains = [...stdout.matchAll(/^\+(\d+)$/gm)].map(([, amount]) => Number(amount));
  const amount = measures === 'time' ? seconds : gains.reduce((sum, gain) => sum + gain, 0);
  const slack = measures === 'time' ? START_MS / 1000 : 0;
  const share = amount / limit;
  const row = `| ${name} | ${measures ?? ''} | ${limit} | ${amount} | ${(100 * share).toFixed(0)} % |`;
  assert.ok(share >= 1 - TOLERANCE && amount <= limit * (1 + TOLERANCE) + slack, row);
  return row;
}

/** Processes that carry a mark in their environment or arguments. */
async function processesWith(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const [environment, line] = await Promise.all([read('environ'), read('cmdline')]);
      return environment.includes(mark) || line.includes(mark) ? [`${pid} ${line}`] : [];
    }),
  );
  return found.flat();
}

const ignore = () => undefined;
