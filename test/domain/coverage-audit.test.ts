import assert from 'node:assert/strict';
import type { Blueprint } from '../../src/domain/blueprint.ts';
import { auditCoverage, passedOver } from '../../src/domain/coverage-audit.ts';
import { paperNames, type PaperNames } from '../../src/domain/paper-names.ts';
import { aBlueprint, aFile, aPaper, aRequirement } from '../fakes/builders.ts';

const NOTHING: PaperNames = { methods: [], datasets: [], measures: [] };

function audit(changes: Partial<Blueprint>, names: Partial<PaperNames> = {}): string {
  return auditCoverage(aBlueprint(changes), aPaper(), { ...NOTHING, ...names }).join('\n');
}

describe('auditCoverage', () => {
  it('names figures and tables that neither an experiment nor a file speaks of', () => {
    assert.match(audit({}), /^tab-1 has no experiment or file: .*\nfig-1 has no experiment/);
    const instructions = 'Draws Figure 1 and writes tab-1.';
    const files = [...aBlueprint().files, aFile({ path: 'draw.py', instructions })];
    assert.equal(audit({ files }), '');
  });

  it('names methods of the paper that are on no axis or that nothing implements', () => {
    const text = audit({}, { methods: ['Gated', 'plain sum', 'Max pooling'] });
    assert.match(text, /"Max pooling" of the paper is on no axis and has neither card nor file/);
    assert.doesNotMatch(text, /"Gated"|"plain sum"/);
  });

  it('names baselines of the ledger that are on no axis', () => {
    const demand = 'Max pooling is a baseline.';
    const baseline = aRequirement({ id: 'R9', kind: 'baseline', demand, quote: '' });
    const excluded = aRequirement({ ...baseline, id: 'R10', scope: 'excluded' });
    const text = audit({ requirements: [...aBlueprint().requirements, baseline, excluded] });
    assert.match(text, /Baseline R9 is on no axis of an experiment: Max pooling/);
    assert.doesNotMatch(text, /R10|R3/);
  });

  it('names datasets without a loader, and measures that nobody takes or logs', () => {
    const names = { datasets: ['Counting', 'CIFAR-10'], measures: ['validation error', 'memory'] };
    const text = audit({}, names);
    assert.match(text, /Dataset "CIFAR-10" of the paper/);
    assert.match(text, /Measure "memory" of the paper is taken in no experiment/);
    assert.doesNotMatch(text, /"Counting"|"validation error"/);
    const [experiment] = aBlueprint().experiments;
    assert.ok(experiment);
    const measures = [{ name: 'wall clock', when: 'once', unit: 's', file: 'results/time.csv' }];
    const experiments = [{ ...experiment, measures }];
    assert.match(audit({ experiments }), /E1: no file's entry logs "wall clock"/);
  });
});

describe('passedOver', () => {
  it('lists the parts that no place names, but not sections that hold a place', () => {
    const requirements = [
      aRequirement({ place: 'eq-1' }),
      aRequirement({ id: 'R2', place: 'tab-1', otherPlaces: ['sec-4'] }),
    ];
    assert.deepEqual(
      passedOver(aPaper(), requirements).map((line) => line.split(' ')[0]),
      ['fig-1', 'sup-1/sec-1'],
    );
  });

  it('lists a section without a place once, not with all that lies in it', () => {
    const lines = passedOver(aPaper(), [aRequirement({ place: 'eq-1' })]);
    assert.deepEqual(
      lines.map((line) => line.split(' ')[0]),
      ['sec-2', 'sec-4', 'sup-1/sec-1'],
    );
  });

  it('is bounded', () => {
    const { paper } = aPaper();
    const parts = Array.from({ length: 60 }, (_, index) => ({
      ...({ id: `eq-${index}`, kind: 'equation', title: 'x'.repeat(500), level: 0 } as const),
      start: index,
      end: index + 1,
    }));
    const lines = passedOver(aPaper({ paper: { ...paper, parts }, supplements: [] }), []);
    assert.equal(lines.length, 41);
    assert.equal(lines.at(-1), 'and 20 more');
    assert.ok(lines.every(({ length }) => length < 100));
  });
});

describe('paperNames', () => {
  it('reads the closing lines of a concept analysis, in whatever marks they stand', () => {
    const markdown =
      'methods: prose\n7. **Names:**\n   methods: ours | **PPO** | `RND`.\n   - **datasets:** Hopper |Walker |\n   measures: reward | reward\n';
    assert.deepEqual(paperNames(markdown), {
      methods: ['ours', 'PPO', 'RND'],
      datasets: ['Hopper', 'Walker'],
      measures: ['reward'],
    });
  });

  it('finds nothing where nothing is named', () => {
    assert.deepEqual(paperNames('Two methods: one and another.'), NOTHING);
  });
});
