import assert from 'node:assert/strict';
import { entryPointOf } from '../../src/domain/entry-point.ts';
import { buildFileContext } from '../../src/domain/file-context.ts';
import { writeFile } from '../../src/prompts/write-file.ts';
import { someParts } from '../fakes/builders.ts';

const RUNNER = `import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0, help="a (seed)")
parser.add_argument(
    "--method",
    choices=["gated", "plain"],
)

if __name__ == "__main__":
    main()
`;

describe('how a file is started', () => {
  it('is read off its flags, each on one line', () => {
    assert.deepEqual(entryPointOf(RUNNER), [
      '"--seed", type=int, default=0, help="a (seed)"',
      '"--method", choices=["gated", "plain"]',
    ]);
    assert.deepEqual(entryPointOf('if __name__ == "__main__":\n    main()\n'), []);
    assert.equal(entryPointOf('def run(x):\n    return x\n'), null);
  });

  it('survives a call that is never closed', () => {
    assert.equal(entryPointOf('p.add_argument("--a')?.length, 1);
  });

  for (const path of ['reproduce.sh', 'README.md'])
    it(`is what ${path} sees of a runner, in place of its source`, () => {
      const texts = new Map([['run_tasks.py', RUNNER]]);
      const { memory } = someParts();
      const known = [...memory.values()][0];
      assert.ok(known);
      const context = buildFileContext(
        someParts({ path, texts, memory: new Map([['run_tasks.py', known]]) }),
      );
      assert.ok(context);
      const prompt = writeFile(context).messages.at(-1)?.content ?? '';
      assert.match(prompt, /with these flags:\n- "--seed", type=int/);
      assert.doesNotMatch(prompt, /import argparse/);
    });
});
