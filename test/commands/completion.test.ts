import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPorts } from '../../src/client-ports.ts';
import {
  bashCompletion,
  fishCompletion,
  zshCompletion,
} from '../../src/commands/completion-scripts.ts';
import { wordsOf } from '../../src/commands/completion.ts';
import { buildProgram } from '../../src/commands/program.ts';

const WORDS = wordsOf(buildProgram(createPorts()));
const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

describe('completion', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    it(`is a script that ${shell} can read, with every command`, function () {
      const script = SCRIPTS[shell](WORDS);
      for (const { name } of WORDS) assert.ok(script.includes(name), name);
      const folder = mkdtempSync(join(tmpdir(), 'deeprepro-completion-'));
      const file = join(folder, shell);
      writeFileSync(file, script);
      const { status, stderr, error } = spawnSync(shell, ['-n', file]);
      rmSync(folder, { recursive: true });
      // A shell that is not on this machine cannot be asked.
      if (error) this.skip();
      assert.deepEqual([status, String(stderr)], [0, '']);
    });

  const ASKED: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['commands', ['deeprepro', 'tran'], ['transcript']],
    ['options', ['deeprepro', 'fork', 'x', '--ro'], ['--round']],
    ['runs', ['deeprepro', 'status', 'my'], ['my-paper', 'my-paper-2']],
    ['runs once', ['deeprepro', 'transcript', 'my-paper', 'my'], []],
  ];
  for (const [what, words, expected] of ASKED)
    it(`completes ${what} in bash`, () => {
      const script = `${bashCompletion(WORDS)}
deeprepro() { echo my-paper; echo my-paper-2; echo other; }
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _deeprepro
for word in "\${COMPREPLY[@]}"; do echo "$word"; done`;
      const { stdout } = spawnSync('bash', ['-c', script]);
      assert.deepEqual(String(stdout).split('\n').filter(Boolean), expected);
    });
});
