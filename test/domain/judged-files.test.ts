import assert from 'node:assert/strict';
import { entriesOf, isReachable, judgedFiles } from '../../src/domain/judged-files.ts';
import { aBlueprint, aFile, aValue } from '../fakes/builders.ts';

const FILES = [
  aFile({ path: 'configs/default.yaml' }),
  aFile({ path: 'src/parts.py' }),
  aFile({ path: 'src/method.py', needs: ['src/parts.py'], owns: ['R1'] }),
  aFile({ path: 'src/train.py', needs: ['src/method.py'] }),
  aFile({ path: 'src/far.py' }),
  aFile({ path: 'run.py', needs: ['src/train.py', 'configs/default.yaml'] }),
  aFile({ path: 'tests/test_method.py', needs: ['src/method.py'] }),
];
const BLUEPRINT = {
  files: FILES,
  configuration: [aValue({ key: 'train.lr', requirements: ['R1'] })],
};

function aTree(...paths: string[]) {
  const texts = new Map(paths.map((path) => [path, path.endsWith('.yaml') ? 'lr: 1' : 'pass']));
  const imports = new Map(
    FILES.map(({ path, needs }) => [path, needs.filter((need) => texts.has(need))]),
  );
  return { texts, imports, entries: ['run.py'].filter((path) => texts.has(path)) };
}

const whole = aTree(...FILES.map(({ path }) => path));

describe('the files that a requirement is judged on', () => {
  it('are its owners, the settings with its values, the way from a command, and what owners import', () => {
    assert.deepEqual(judgedFiles({ id: 'R1', values: [] }, BLUEPRINT, whole), [
      'src/method.py',
      'configs/default.yaml',
      'src/train.py',
      'run.py',
      'src/parts.py',
    ]);
  });

  it('are none where no owner is written', () =>
    assert.deepEqual(judgedFiles({ id: 'R1', values: [] }, BLUEPRINT, aTree('run.py')), []));

  it('are owners in any case, and the nearest of the others for which there is room', () => {
    const texts = new Map([...whole.texts, ['src/train.py', 'x = 1\n'.repeat(40_000)]]);
    const files = judgedFiles({ id: 'R1', values: [] }, BLUEPRINT, { ...whole, texts });
    assert.ok(!files.includes('src/train.py') && files.includes('src/method.py'));
  });

  it('wait for the command that is to reach them', () => {
    const before = aTree('configs/default.yaml', 'src/parts.py', 'src/method.py');
    assert.equal(isReachable('R1', BLUEPRINT, before), false);
    const almost = aTree(...FILES.map(({ path }) => path).filter((path) => path !== 'run.py'));
    assert.equal(isReachable('R1', BLUEPRINT, almost), false);
    assert.equal(isReachable('R1', BLUEPRINT, whole), true);
  });

  it('wait for nobody where nothing that is still to come needs them', () => {
    const files = [aFile({ path: 'run.py', owns: ['R1'] })];
    assert.equal(isReachable('R1', { files }, aTree('run.py')), true);
  });
});

describe('what a person can start', () => {
  it('is what commands of the plan name, then scripts', () => {
    const entries = entriesOf(
      ['reproduce.sh', 'tool.py', 'run_tasks.py', 'tests/test_run.py', 'src/a.py'],
      aBlueprint(),
      new Set(['tool.py', 'tests/test_run.py', 'run_tasks.py']),
    );
    assert.deepEqual(entries, ['run_tasks.py', 'reproduce.sh', 'tool.py']);
  });
});
