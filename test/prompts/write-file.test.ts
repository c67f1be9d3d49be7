import assert from 'node:assert/strict';
import type { Blueprint, BlueprintFile } from '../../src/domain/blueprint.ts';
import { buildFileContext, CONTEXT_LIMITS } from '../../src/domain/file-context.ts';
import { EMPTY_INTERFACE } from '../../src/domain/interface.ts';
import { writeFile } from '../../src/prompts/write-file.ts';
import { aBlueprint, aFile, aPaper, aValue, someParts } from '../fakes/builders.ts';

function charactersOf(blueprint: Blueprint, written: readonly string[] = []): number {
  return textOf({ blueprint }, written).length;
}

function textOf(changes: Parameters<typeof someParts>[0], written: readonly string[] = []): string {
  const base = someParts(changes);
  const entry = { purpose: 'x'.repeat(90), interface: EMPTY_INTERFACE, notes: 'n'.repeat(900) };
  const context = buildFileContext({
    ...base,
    memory: new Map([...base.memory, ...written.map((path) => [path, entry] as const)]),
    statuses: new Map([...base.statuses, ...written.map((path) => [path, 'written'] as const)]),
  });
  assert.ok(context);
  return writeFile(context)
    .messages.map(({ content }) => content)
    .join('\n');
}

/** Files that run_tasks.py has nothing to do with, with long paths, purposes and instructions. */
function unrelated(count: number): BlueprintFile[] {
  return Array.from({ length: count }, (_, index) =>
    aFile({
      path: `package/${'deep/'.repeat(index % 30)}other_${index}.py`,
      purpose: `Something else ${'that is said at length '.repeat(20)}`,
      instructions: 'i'.repeat(3000),
    }),
  );
}

describe('writeFile', () => {
  it('grows by at most 160 characters for each further file that is not related', () => {
    const { files } = aBlueprint();
    const alone = charactersOf(aBlueprint());
    for (const count of [1, 20, 120]) {
      const more = unrelated(count);
      const blueprint = aBlueprint({ files: [...files, ...more] });
      const everySecond = more.filter((_, index) => index % 2 === 0).map(({ path }) => path);
      assert.ok(charactersOf(blueprint, everySecond) - alone <= 160 * count, `${count} files`);
    }
  });

  it('keeps all messages but the last the same for all files that the paper says something of', () => {
    const files = aBlueprint().files.filter(({ path }) => !/\.sh$|^requirements/.test(path));
    const openings = files.map(({ path }) => {
      const context = buildFileContext(someParts({ path }));
      assert.ok(context);
      return JSON.stringify(writeFile(context).messages.slice(0, -1));
    });
    assert.equal(new Set(openings).size, 1);
  });

  it('shows the texts of what the file needs, and what it owns in the words of the paper', () => {
    const text = textOf({});
    assert.match(text, /"""Equation \(1\)\."""/);
    assert.doesNotMatch(text, /Registers gated and plain\./);
    assert.match(text, /R4 \(measurement, sec-2\).*\n {2}values: interval=50\n {2}quote: log the/);
    assert.match(text, /@experiment E1/);
  });

  it('shows a test what files offer, with what they say of themselves and their notes, and no paper', () => {
    const path = 'tests/test_sums.py';
    const test = aFile({ path, needs: ['src/gated_sum.py'], instructions: 'Checks the sums.' });
    const blueprint = aBlueprint({ files: [...aBlueprint().files, test] });
    const code =
      '"""Sums. Writes sums.csv: step, value."""\nclass GatedSum(nn.Module):\n    x = 1\n';
    const texts = new Map([['src/gated_sum.py', code]]);
    const text = textOf({ blueprint, path, texts });
    assert.match(text, /says of itself: Sums\. Writes sums\.csv: step, value\./);
    assert.match(text, /class GatedSum\(nn\.Module\)\n/);
    assert.match(text, /# Notes on the files that yours needs\n## src\/gated_sum\.py\nRegisters/);
    assert.doesNotMatch(text, /x = 1|<<<<< start of paper/);
    const owner = aFile({ ...test, owns: ['R1'] });
    const owning = aBlueprint({ files: [...aBlueprint().files, owner] });
    assert.match(textOf({ blueprint: owning, path, texts }), /<<<<< start of paper/);
  });

  it('shows a program at the end that no experiment starts interfaces, and a runner code', () => {
    const plot = aFile({ path: 'plot.py', needs: ['src/gated_sum.py'] });
    const blueprint = aBlueprint({ files: [...aBlueprint().files, plot] });
    assert.doesNotMatch(textOf({ blueprint, path: 'plot.py' }), /Equation \(1\)/);
    assert.match(textOf({ blueprint, path: 'run_tasks.py' }), /Equation \(1\)/);
    const repaired = new Map([...someParts().texts, ['plot.py', 'x = 1\n']]);
    assert.match(textOf({ blueprint, path: 'plot.py', texts: repaired }), /Equation \(1\)/);
  });

  it('shows the values that concern a file with those beside them, and all keys', () => {
    const value = (key: string, ids: string[] = []) =>
      aValue({ key, value: '1', requirements: ids });
    const configuration = [
      value('train.lr', ['R4']),
      value('train.steps'),
      value('smoke.train.steps'),
      value('counting.length'),
      value('plot.width'),
      value('seed'),
    ];
    const text = textOf({ blueprint: aBlueprint({ configuration }), texts: new Map() });
    for (const key of ['train.lr', 'train.steps', 'smoke.train.steps', 'counting.length'])
      assert.match(text, new RegExp(`^${key} = 1`, 'm'));
    assert.ok(!/^(?:plot\.width|seed) = /m.test(text));
    assert.match(text, /^train\.\{lr, steps\}$/m);
    assert.match(text, /^plot\.width$/m);
  });

  it('shows the values that the round’s subplan names to it', () => {
    const configuration = ['train.lr', 'plot.width', 'log.every', 'data.root', 'seed'].map((key) =>
      aValue({ key }),
    );
    const text = textOf({
      ...{ blueprint: aBlueprint({ configuration }), texts: new Map() },
      assignment: {
        ...{ reason: '', instructions: 'Reads plot.width.', integrationNotes: 'log.every > 0.' },
        checks: [{ text: 'data.root is a folder', decidedBy: 'static' }],
      },
    });
    for (const key of ['plot.width', 'log.every', 'data.root'])
      assert.match(text, new RegExp(`^${key} = 1`, 'm'));
    assert.ok(!/^seed = /m.test(text));
  });

  it('shows a test the requirements of what it tests, a line each, and no other file them', () => {
    const needs = ['src/gated_sum.py', 'run_tasks.py'];
    const files = ['tests/test_sums.py', 'plot.py'].map((path) =>
      aFile({ path, needs, owns: ['R3'] }),
    );
    const blueprint = aBlueprint({ files: [...aBlueprint().files, ...files] });
    assert.match(
      textOf({ blueprint, path: 'tests/test_sums.py' }),
      /# Requirements of what it tests\nR1 equation eq-1: A gated sum .*\nR4 measurement sec-2: .*\n\n/,
    );
    assert.doesNotMatch(textOf({ blueprint, path: 'plot.py' }), /what it tests/);
  });

  it('tells the README each value that deviates from the paper in a line', () => {
    const value = { value: '1', requirements: ['R2', 'R4'], reason: 'too slow', deviates: true };
    const configuration = ['train.lr', 'train.steps'].map((key) => aValue({ ...value, key }));
    const text = textOf({ blueprint: aBlueprint({ configuration }), path: 'README.md' });
    assert.match(
      text,
      /a line a key\ntrain\.lr = 1 {2}\(deviates from R2, R4: too slow\)\ntrain\.steps = 1 {2}\(/,
    );
    assert.doesNotMatch(text, /deviates: /);
  });

  it('shows what many files need first, so that prompts begin alike', () => {
    const needs = ['src/near.py', 'configs/default.yaml', 'src/gated_sum.py'];
    const files = [...aBlueprint().files.filter(({ path }) => path !== 'run_tasks.py')];
    const runner = aFile({ path: 'run_tasks.py', needs, signatures: '' });
    const others = ['a.py', 'b.py'].map((path) => aFile({ path, needs: ['src/gated_sum.py'] }));
    const near = aFile({ path: 'src/near.py' });
    const blueprint = aBlueprint({ files: [near, ...files, runner, ...others] });
    const context = buildFileContext(someParts({ blueprint }));
    assert.deepEqual(
      context?.dependencies.map(({ path }) => path),
      ['src/gated_sum.py', 'src/near.py', 'configs/default.yaml'],
    );
  });

  it('shows the planned values until the settings file itself is shown', () => {
    const planned = /train\.lr = 3e-4 {2}\(R2\)/;
    assert.match(textOf({ texts: new Map() }), planned);
    assert.doesNotMatch(textOf({}), planned);
  });

  it('spares lists of packages and shell scripts the paper', () => {
    const paper = /<<<<< start of paper/;
    assert.match(textOf({}), paper);
    for (const path of ['requirements.txt', 'reproduce.sh'])
      assert.doesNotMatch(textOf({ path }), paper);
  });

  it('shows settings without their comments', () => {
    const yaml = "# where from\ntrain:\n  lr: 3.0e-4  # R2\n  name: 'a # b'  # kept\n";
    const text = textOf({ texts: new Map([['configs/default.yaml', yaml]]) });
    assert.match(text, /train:\n {2}lr: 3\.0e-4\n {2}name: 'a # b' {2}# kept\n/);
    assert.doesNotMatch(text, /where from/);
  });

  it('shows the owned spans with their neighbours when the paper is too long', () => {
    const base = aPaper();
    const filler = 'A long remark on something else. '.repeat(9000);
    const paper = { ...base.paper, markdown: `${base.paper.markdown}\n${filler}` };
    const text = textOf({ paper: { ...base, paper } });
    assert.ok(text.length < 30_000);
    assert.match(text, /## sec-2: Experiments\n## Experiments\n\nWe compare/);
    assert.match(text, /## sec-1: Method/);
    assert.doesNotMatch(text, /<<<<< start of paper/);
  });

  it('shows the interface of a dependency whose text has no room', () => {
    const context = buildFileContext(someParts(), { ...CONTEXT_LIMITS, textTokens: 12 });
    assert.ok(context);
    const text = writeFile(context).messages.at(-1)?.content ?? '';
    assert.doesNotMatch(text, /Equation \(1\)/);
    assert.match(text, /class GatedSum\(nn\.Module\)/);
  });

  it('shows written callers with their code and planned ones with their purpose', () => {
    const path = 'src/gated_sum.py';
    const planned = textOf({ path });
    assert.match(planned, /# Planned files that will call yours\n- run_tasks\.py: Runs E1/);
    const texts = new Map([['run_tasks.py', 'GatedSum(8)\n']]);
    const written = textOf({ path, texts, importers: ['run_tasks.py'] });
    assert.match(
      written,
      /# Written files that call yours: keep them working\n[^#]*## run_tasks\.py/,
    );
    assert.match(written, /GatedSum\(8\)/);
  });

  it('shows a file of a family the sibling that was written first, whole, until it is written itself', () => {
    const base = aFile({ path: 'src/sums/core.py', signatures: 'class Sum' });
    const sums = ['plain', 'gated', 'soft'].map((name) =>
      aFile({
        path: `src/sums/${name}.py`,
        needs: [base.path],
        signatures: `class ${name}(Sum)`,
      }),
    );
    const blueprint = aBlueprint({ files: [...aBlueprint().files, base, ...sums] });
    const heading = /# A sibling of yours, written first[^#]*## src\/sums\/plain\.py[^#]*PLAIN = 1/;
    const path = 'src/sums/soft.py';
    const texts = new Map([['src/sums/plain.py', 'PLAIN = 1\n']]);
    assert.match(textOf({ blueprint, path, texts }), heading);
    assert.doesNotMatch(textOf({ blueprint, path: 'src/sums/plain.py', texts }), heading);
    const written = new Map([...texts, [path, 'SOFT = 1\n']]);
    assert.doesNotMatch(textOf({ blueprint, path, texts: written }), heading);
  });

  it('shows the whole ledger to the README alone', () => {
    const line = /R3 \(sec-2\): The plain sum is a baseline\. → src\/gated_sum\.py/;
    assert.match(textOf({ path: 'README.md' }), line);
    assert.doesNotMatch(textOf({}), line);
  });

  it('shows a method card to the files that name it', () => {
    assert.match(textOf({ path: 'src/gated_sum.py' }), /@method Plain sum/);
    assert.doesNotMatch(textOf({ path: 'requirements.txt' }), /@method Plain sum/);
  });

  it('takes a common word for a method only where it is written as a name', () => {
    const card = (name: string) => [{ name, source: 'paper' as const, text: 'A sum.' }];
    const shows = (name: string, instructions: string, owns: string[] = []): boolean => {
      const file = aFile({ path: 'src/other.py', instructions, owns });
      const methodCards = card(name);
      const files = [...aBlueprint().files, file];
      const text = textOf({ blueprint: aBlueprint({ files, methodCards }), path: file.path });
      return text.includes(`@method ${name}`);
    };
    assert.ok(!shows('baseline', 'Compares with the baseline.'));
    assert.ok(shows('baseline', 'Registers `baseline`.'));
    assert.ok(shows('baseline', 'Sums.', ['R3']));
    assert.ok(shows('plain_sum', 'Runs plain_sum.'));
    assert.ok(!shows('plain_sum', 'A plain file.'));
  });

  it('gives no context for a path that is not planned', () => {
    assert.equal(buildFileContext(someParts({ path: 'nowhere.py' })), undefined);
  });
});
