import assert from 'node:assert/strict';
import { assembleBlueprint } from '../../src/domain/assemble-blueprint.ts';
import { foldRestatements } from '../../src/domain/fold-restatements.ts';
import { renderRequirements } from '../../src/domain/report-plan.ts';
import { aBlueprint, aFile, aRequirement, aValue } from '../fakes/builders.ts';

const first = aRequirement({ id: 'R1', demand: 'c_1 is x_0.', place: 'sec-4', values: [] });
const second = aRequirement({
  id: 'R2',
  demand: 'The constants come from the start.',
  place: 'eq-8',
  quote: 'from the initial displacement',
  values: [],
});
const other = aRequirement({ id: 'R3', demand: 'There are 50 trajectories.', values: ['50'] });
const ledger = [first, second, other];
const idsOf = (rows: readonly { readonly id: string }[]): string =>
  rows.map(({ id }) => id).join(' ');

describe('rows of the ledger that say one demand', () => {
  it('become the row that stays, with the places and ids of all', () => {
    const rows = foldRestatements(ledger, [{ stays: 'R1', goes: ['R2'] }]);
    assert.equal(idsOf(rows), 'R1 R3');
    assert.deepEqual(rows[0]?.otherPlaces, ['eq-8']);
    assert.deepEqual(rows[0].restates, [{ id: 'R2', demand: second.demand }]);
  });

  it('stay apart where one has a value that the other lacks, or is a result, or has another scope', () => {
    const apart = [
      other,
      { ...second, kind: 'result' as const },
      { ...second, scope: 'excluded' as const },
    ];
    for (const row of apart) {
      const rows = foldRestatements([first, row], [{ stays: 'R1', goes: [row.id] }]);
      assert.equal(idsOf(rows), `R1 ${row.id}`);
    }
  });

  it('are one where the value of the one that goes stands in the words of the other', () => {
    const same = aRequirement({ id: 'R4', demand: 'So many are made.', values: ['n=50'] });
    const said = { ...other, values: [] };
    assert.equal(idsOf(foldRestatements([said, same], [{ stays: 'R3', goes: ['R4'] }])), 'R3');
  });

  it('are followed through chains, and never lost in circles or by unknown ids', () => {
    const chain = [
      { stays: 'R2', goes: ['R5'] },
      { stays: 'R1', goes: ['R2', 'R1', 'R99'] },
      { stays: 'R2', goes: ['R1'] },
    ];
    const rows = foldRestatements([...ledger, { ...second, id: 'R5' }], chain);
    assert.equal(idsOf(rows), 'R1 R3');
    assert.equal(idsOf(rows[0]?.restates ?? []), 'R2 R5');
  });

  it('are meant by every id in plan, values and report', () => {
    const file = aFile({ path: 'src/a.py', owns: ['R2', 'R1'] });
    const rest = aBlueprint();
    const { blueprint } = assembleBlueprint(
      { plan: rest, experiments: [], files: [file], configuration: [] },
      {
        ...rest,
        configuration: [aValue({ key: 'a.b', requirements: ['R2'] })],
        same: [{ stays: 'R1', goes: ['R2'] }],
      },
      ledger,
    );
    const planned = blueprint.files.find(({ path }) => path === file.path);
    assert.deepEqual(planned?.owns, ['R1']);
    assert.deepEqual(blueprint.configuration[0]?.requirements, ['R1']);
    assert.match(renderRequirements(blueprint, null), /\| R1, R2 +\|.*`src\/a\.py`/);
  });
});
