import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkNamedFiles } from '../../src/diagnostics/check-named-files.ts';
import { mapModules } from '../../src/diagnostics/module-map.ts';
import { gather } from '../../src/diagnostics/sightings.ts';
import { readToldCommands } from '../../src/diagnostics/told-commands.ts';

const parser = await createParser();

function check(script: string): string[] {
  const texts = {
    'run.py': 'print(1)\n',
    'configs/toy.yaml': 'a: 1\n',
    'README.md': `\`\`\`bash\n${script}\n\`\`\`\n`,
  };
  const files = Object.entries(texts).map(([path, text]) => parser.parse(path, text));
  const map = mapModules(new Map(files.map((file) => [file.path, file])), []);
  return gather(checkNamedFiles(map, readToldCommands(map, []))).map(
    ({ kind, path, message }) => `${kind} ${path}: ${message}`,
  );
}

describe('settings that a command names', () => {
  it('are there', () => {
    assert.deepEqual(check('python run.py --config configs/toys.yaml'), [
      'missing-entry-point README.md: README.md (line 2) gives `python run.py --config configs/toys.yaml` the file configs/toys.yaml, which is not in the repository, so it does not start.',
    ]);
    assert.equal(check('python run.py configs/toys.yaml').length, 1);
    assert.equal(check('python run.py --config=configs/toys.yaml').length, 1);
  });

  for (const command of [
    'python run.py --config configs/toy.yaml',
    'python run.py --output configs/found.json',
    'python run.py --data data/items.json',
    'python run.py --config $CONFIG',
    'python run.py --config configs/{dataset}.yaml',
  ])
    it(`are not missed by: ${command}`, () => {
      assert.deepEqual(check(command), []);
    });
});
