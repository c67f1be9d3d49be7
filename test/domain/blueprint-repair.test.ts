import assert from 'node:assert/strict';
import { amendBlueprint } from '../../src/domain/amend-blueprint.ts';
import { assembleBlueprint } from '../../src/domain/assemble-blueprint.ts';
import { auditBlueprint } from '../../src/domain/blueprint-audit.ts';
import { Blueprint } from '../../src/domain/blueprint.ts';
import { NoBlueprint } from '../../src/domain/errors.ts';
import { repairBlueprint } from '../../src/domain/repair-blueprint.ts';
import { NO_CHANGES } from '../../src/domain/subplan-answer.ts';
import { aBlueprint, aFile, aRequirement, aValue } from '../fakes/builders.ts';

function pathsOf({ files }: Blueprint): string[] {
  return files.map(({ path }) => path);
}

function fileAt({ files }: Blueprint, path: string): Blueprint['files'][number] {
  return files.find((file) => file.path === path) ?? assert.fail(`${path} is not planned`);
}

describe('repairBlueprint', () => {
  it('leaves a sound blueprint as it is', () => {
    assert.deepEqual(repairBlueprint(aBlueprint()), { blueprint: aBlueprint(), corrections: [] });
  });

  it('adds the files that every repository has, settings first and documents last', () => {
    const { files } = aBlueprint();
    const draft = aBlueprint({ files: files.filter(({ path }) => path.endsWith('.py')) });
    const { blueprint, corrections } = repairBlueprint(draft);
    assert.deepEqual(pathsOf(blueprint), [
      'requirements.txt',
      'configs/default.yaml',
      'src/gated_sum.py',
      'run_tasks.py',
      'reproduce.sh',
      'README.md',
    ]);
    assert.deepEqual(fileAt(blueprint, 'README.md').needs, ['run_tasks.py']);
    assert.ok(corrections.includes('README.md: was not planned; added.'));
  });

  it('takes settings in JSON or TOML for the settings that every repository has', () => {
    for (const path of ['configs/paper.json', 'settings.toml', 'src/config/run.yml']) {
      const draft = aBlueprint({ files: [aFile({ path }), aFile({ path: 'src/gated_sum.py' })] });
      assert.ok(!pathsOf(repairBlueprint(draft).blueprint).includes('configs/default.yaml'), path);
    }
  });

  it('drops unusable and repeated paths, unknown needs and unknown ids, and says so', () => {
    const { blueprint, corrections } = repairBlueprint(
      aBlueprint({
        files: [
          ...aBlueprint().files,
          aFile({ path: '../evil.py' }),
          aFile({ path: 'RUN_tasks.py', owns: ['R1', 'R99'] }),
          aFile({ path: 'src', owns: [] }),
          aFile({ path: 'a.py', needs: ['nowhere.py', 'a.py', 'src/gated_sum.py'] }),
        ],
      }),
    );
    assert.equal(blueprint.files.length, 7);
    assert.deepEqual(fileAt(blueprint, 'a.py').needs, ['src/gated_sum.py']);
    assert.deepEqual(fileAt(blueprint, 'run_tasks.py').owns, ['R4', 'R1']);
    assert.equal(corrections.length, 5, corrections.join('\n'));
  });

  it('keeps the first 150 files of a plan that never ends', () => {
    const files = Array.from({ length: 400 }, (_, index) => aFile({ path: `f${index}.py` }));
    const { blueprint, corrections } = repairBlueprint(aBlueprint({ files }));
    assert.ok(pathsOf(blueprint).includes('f149.py'));
    assert.ok(!pathsOf(blueprint).includes('f150.py'));
    assert.match(corrections.join('\n'), /names 400 files; the first 150 stay/);
  });

  it('breaks cycles in file order and orders files by their needs', () => {
    const { blueprint, corrections } = repairBlueprint(
      aBlueprint({
        files: [
          aFile({ path: 'late.py', needs: ['one.py'] }),
          aFile({ path: 'one.py', needs: ['two.py'] }),
          aFile({ path: 'two.py', needs: ['one.py'] }),
        ],
      }),
    );
    const order = pathsOf(blueprint).filter((path) => path.endsWith('.py'));
    assert.deepEqual(order, ['one.py', 'late.py', 'two.py']);
    assert.deepEqual(fileAt(blueprint, 'one.py').needs, []);
    assert.match(corrections.join('\n'), /one\.py: is in a cycle with two\.py/);
  });

  it('gives repeated experiments ids of their own and keeps the first of repeated keys', () => {
    const base = aBlueprint();
    const { blueprint } = repairBlueprint(
      aBlueprint({
        experiments: [...base.experiments, ...base.experiments],
        configuration: [
          aValue({ key: 'a.b', value: '1', requirements: ['R77'] }),
          aValue({ key: 'a.b', value: '2' }),
        ],
      }),
    );
    assert.deepEqual(
      blueprint.experiments.map(({ id }) => id),
      ['E1', 'E3'],
    );
    assert.deepEqual(blueprint.configuration, [aValue({ key: 'a.b', value: '1' })]);
  });

  it('throws NoBlueprint only when no file is left', () => {
    const { files, configuration, methodCards, environment, experiments, requirements, ...plan } =
      aBlueprint();
    const setup = { configuration, methodCards, environment, same: [] };
    const draft = { plan, experiments, files, configuration: [] };
    assert.throws(
      () => assembleBlueprint({ ...draft, files: [aFile({ path: '/etc/x' })] }, setup, []),
      NoBlueprint,
    );
    assert.deepEqual(assembleBlueprint(draft, setup, requirements).blueprint, aBlueprint());
  });

  it('takes values that the planner of files missed, and none that is there', () => {
    const { files, experiments, requirements, ...plan } = aBlueprint();
    const rest = { ...plan, same: [] };
    const configuration = [aValue({ key: 'train.lr', value: '9' }), aValue({ key: 'train.clip' })];
    const draft = { plan, experiments, files, configuration };
    const { blueprint } = assembleBlueprint(draft, rest, requirements);
    assert.deepEqual(
      blueprint.configuration.map(({ key, value }) => `${key} ${value}`),
      [...rest.configuration, aValue({ key: 'train.clip' })].map(
        ({ key, value }) => `${key} ${value}`,
      ),
    );
  });
});

describe('amendBlueprint', () => {
  it('changes nothing without amendments', () => {
    assert.deepEqual(amendBlueprint(aBlueprint(), NO_CHANGES).blueprint, aBlueprint());
  });

  it('replaces named fields, adds, retires and gives owners', () => {
    const { blueprint, corrections } = amendBlueprint(aBlueprint(), {
      ...NO_CHANGES,
      plan: { title: 'New' },
      files: [
        { path: 'src/gated_sum.py', instructions: 'Changed.' },
        { path: 'src/plain_sum.py', purpose: 'Plain sums', needs: ['src/gated_sum.py'] },
      ],
      retired: ['README.md', 'ghost.py'],
      owners: [
        { requirement: 'R3', path: 'src/plain_sum.py' },
        { requirement: 'R3', path: 'ghost.py' },
      ],
      experiments: [{ id: 'E1', command: 'python run_tasks.py' }],
      configuration: [aValue({ key: 'train.lr', value: '1e-3', requirements: ['R2'] })],
      environment: { python: '3.12' },
    });
    assert.equal(blueprint.title, 'New');
    assert.equal(fileAt(blueprint, 'src/gated_sum.py').instructions, 'Changed.');
    assert.deepEqual(fileAt(blueprint, 'src/gated_sum.py').owns, ['R1', 'R3']);
    assert.deepEqual(fileAt(blueprint, 'src/plain_sum.py').owns, ['R3']);
    assert.equal(blueprint.experiments[0]?.axes.length, 2);
    assert.equal(blueprint.experiments[0]?.command, 'python run_tasks.py');
    assert.equal(blueprint.configuration[0]?.value, '1e-3');
    assert.equal(blueprint.environment.packages[0]?.name, 'torch');
    assert.deepEqual(corrections, [
      'ghost.py: is not planned, so it cannot own R3.',
      'ghost.py: is not in the plan, so it cannot be retired.',
      'README.md: was not planned; added.',
    ]);
  });
});

describe('lines that an amendment adds to a file', () => {
  it('stand behind those that it has, and alone where it has none', () => {
    const { blueprint } = amendBlueprint(aBlueprint(), {
      ...NO_CHANGES,
      files: [
        { path: 'src/gated_sum.py', moreInstructions: 'Log w.', moreSignatures: 'def names()' },
        { path: 'src/new.py', moreInstructions: 'Alone.' },
      ],
    });
    const old = fileAt(aBlueprint(), 'src/gated_sum.py');
    const file = fileAt(blueprint, 'src/gated_sum.py');
    assert.equal(file.instructions, `${old.instructions}\nLog w.`);
    assert.equal(file.signatures, `${old.signatures}\ndef names()`);
    assert.equal(fileAt(blueprint, 'src/new.py').instructions, 'Alone.');
  });
});

describe('a demand that an amendment adds', () => {
  it('gets the next id and its owner, unless the ledger has it', () => {
    const { id, ...found } = aRequirement({ demand: 'Seeds are fixed.' });
    const known = { ...found, demand: 'the plain sum is a BASELINE.' };
    const { blueprint, corrections } = amendBlueprint(aBlueprint(), {
      ...NO_CHANGES,
      requirements: [
        { found: known, owner: 'run_tasks.py' },
        { found, owner: 'run_tasks.py' },
        { found: { ...found, demand: 'Times are logged.' }, owner: '' },
      ],
    });
    const added = blueprint.requirements.slice(4);
    assert.deepEqual(
      added.map((each) => `${each.id} ${each.demand}`),
      ['R5 Seeds are fixed.', 'R6 Times are logged.'],
    );
    assert.equal(id, 'R1');
    assert.deepEqual(fileAt(blueprint, 'run_tasks.py').owns, ['R4', 'R5']);
    assert.deepEqual(corrections, []);
  });
});

describe('a stored plan', () => {
  it('of an earlier version, with one requirement a key, still loads', () => {
    const { deviates, requirements, ...old } = aValue({ key: 'train.lr', requirements: ['R2'] });
    const configuration = [
      { ...old, requirement: requirements[0] },
      { ...old, key: 'seed', requirement: null },
    ];
    const { requirements: ledger, ...rest } = aBlueprint();
    const rows = ledger.map(({ otherPlaces, ...row }) => ({ otherPlaces, row }).row);
    const plan = Blueprint.parse({ ...rest, requirements: rows, configuration });
    assert.deepEqual(plan.configuration, [
      aValue({ key: 'train.lr', requirements: ['R2'] }),
      aValue({ key: 'seed' }),
    ]);
    assert.equal(deviates, false);
    assert.deepEqual(plan.requirements, ledger);
  });
});

describe('a key or card that is retired', () => {
  it('goes with its old name, while the new one stays', () => {
    const { blueprint, corrections } = amendBlueprint(aBlueprint(), {
      ...NO_CHANGES,
      retired: ['train.lr'],
      configuration: [aValue({ key: 'optimizer.lr', value: '0.001', requirements: ['R2'] })],
    });
    const keys = blueprint.configuration.map(({ key }) => key);
    assert.ok(keys.includes('optimizer.lr'));
    assert.ok(!keys.includes('train.lr'));
    assert.deepEqual(corrections, []);
  });
});

describe('auditBlueprint', () => {
  function audit(changes: Partial<Blueprint>): string {
    return auditBlueprint(aBlueprint(changes)).join('\n');
  }

  it('finds nothing in a sound blueprint', () => {
    assert.equal(audit({}), '');
  });

  it('names requirements in scope without an owner, and only those', () => {
    const text = audit({
      requirements: [
        ...aBlueprint().requirements,
        aRequirement({ id: 'R5', demand: 'Weights start at zero.' }),
        aRequirement({ id: 'R6', scope: 'excluded' }),
        aRequirement({ id: 'R7', scope: 'appendix', demand: 'A study.' }),
      ],
    });
    assert.match(text, /^R5 has no file that owns it: Weights start at zero\.\nR7 .*$/);
  });

  it('names cells that nothing runs or writes, and measures without a time or file', () => {
    const [experiment] = aBlueprint().experiments;
    assert.ok(experiment);
    const axes = [{ name: 'method', values: ['gated', 'max-pool'] }];
    const measures = [{ name: 'error', when: '', unit: '', file: '' }];
    const text = audit({
      experiments: [
        { ...experiment, axes, measures, command: 'python nowhere.py --task {task}' },
        { ...experiment, id: 'E2', measures: [], command: '' },
      ],
    });
    assert.match(text, /E1: its command names no planned file/);
    assert.match(text, /E1: it is not said when "error" is measured/);
    assert.match(text, /E1: "error" is written to no file/);
    assert.match(text, /E1: its command has no \{method\}/);
    assert.match(text, /E1: no file's entry names these values of method: max-pool/);
    assert.match(text, /E1: its command has \{task\}, which is not an axis/);
    assert.match(text, /E2 has no command\.\nE2 measures nothing\./);
  });

  it('names values without a key, baselines without a card, and files that are too large', () => {
    const text = audit({
      configuration: [aValue({ key: 'a', value: '1' })],
      methodCards: [],
      files: [...aBlueprint().files, aFile({ path: 'big.py', expectedLines: 451 })],
    });
    assert.match(text, /R2 fixes lr=3e-4, which no configuration key holds/);
    assert.match(text, /a has neither a requirement nor a reason/);
    assert.match(text, /Baseline R3 has no method card/);
    assert.match(text, /big\.py is expected to have 451 lines/);
  });

  it('names modules too small for a call of their own, and too many files', () => {
    const small = ['a.py', 'b/__init__.py', 'c.py'].map((path) =>
      aFile({ path, expectedLines: 9 }),
    );
    const { files } = aBlueprint();
    const merged = /below 60 lines each, .*: a\.py, c\.py\.$/m;
    assert.match(audit({ files: [...files, ...small] }), merged);
    assert.equal(audit({ files: [...files, ...small.slice(0, 1)] }), '');
    const many = Array.from({ length: 40 }, (_, index) => aFile({ path: `f${index}.py` }));
    assert.match(audit({ files: [...files, ...many] }), /The plan has 46 files/);
  });
});
