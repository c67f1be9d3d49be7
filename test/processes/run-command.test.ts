import assert from 'node:assert/strict';
import { isAlive } from '../../src/processes/kill-process.ts';
import { runCommand } from '../../src/processes/run-command.ts';
import type { CommandRequest } from '../../src/processes/run-command.ts';

describe('runCommand', () => {
  it('returns what a command printed and its exit code', async () => {
    const result = await runCommand(
      script('process.stdout.write("out"); console.error("no"); process.exit(3)'),
    );
    assert.equal(result.exitCode, 3);
    assert.equal(result.stdout, 'out');
    assert.equal(result.failure, `${process.execPath} ended with exit code 3. no`);
  });

  it('hands over the input and nothing but the given environment', async () => {
    const result = await runCommand({
      ...script(
        'process.stdin.pipe(process.stdout); console.log(Object.keys(process.env).sort().join())',
      ),
      input: 'typed',
      env: { ONLY: 'this' },
    });
    assert.equal(result.exitCode, 0);
    assert.match(result.stdout, /^ONLY\n/);
    assert.match(result.stdout, /typed$/);
  });

  it('says that a program does not exist', async () => {
    const result = await runCommand({ command: 'no-such-program', args: [], timeoutMs: 5000 });
    assert.equal(result.started, false);
    assert.match(result.failure, /no-such-program could not be started/);
  });

  it('ends a command that takes too long, with all that it started', async () => {
    const result = await runCommand({ ...script(STARTS_A_CHILD), timeoutMs: 700 });
    assert.equal(result.timedOut, true);
    assert.equal(result.exitCode, null);
    assert.equal(isAlive(Number(result.stdout)), false);
    assert.match(result.failure, /took more than 700 ms/);
  });

  it('ends a command that prints too much', async () => {
    const result = await runCommand({
      ...script('setInterval(() => console.log("x".repeat(1000)))'),
      maxOutputBytes: 5000,
    });
    assert.equal(result.outputCut, true);
    assert.ok(result.stdout.length <= 5000);
  });

  it('ends a command when its signal is aborted, and starts none after', async () => {
    const controller = new AbortController();
    const running = runCommand({
      ...script('setInterval(() => undefined, 1000)'),
      signal: controller.signal,
    });
    controller.abort();
    assert.equal((await running).cancelled, true);
    const late = await runCommand({ ...script(''), signal: controller.signal });
    assert.equal(late.started, false);
  });
});

/** Prints the number of a child that would outlive its parent. */
const STARTS_A_CHILD = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => 1, 1000)'], { stdio: 'ignore' });
  process.stdout.write(String(child.pid));
  setInterval(() => 1, 1000);
`;

function script(text: string): CommandRequest {
  return { command: process.execPath, args: ['-e', text], timeoutMs: 20_000 };
}
