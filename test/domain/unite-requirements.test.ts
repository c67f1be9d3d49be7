import assert from 'node:assert/strict';
import type { FoundRequirement, Requirement } from '../../src/domain/requirement.ts';
import { placesOf, uniteRequirements } from '../../src/domain/unite-requirements.ts';
import { aPaper } from '../fakes/builders.ts';
import { LEDGER_ROWS } from './ledger-rows.ts';

function found(demand: string, changes: Partial<FoundRequirement> = {}): FoundRequirement {
  return {
    kind: 'setting',
    demand,
    quote: '',
    place: '',
    otherPlaces: [],
    values: [],
    scope: 'main',
    ...changes,
  };
}

function demandsOf(...lenses: FoundRequirement[][]): string[] {
  return uniteRequirements(lenses, ['sec-1', 'sec-2', 'sup-1/sec-1']).map(({ demand }) => demand);
}

describe('uniteRequirements', () => {
  it('makes one of two wordings of one sentence, the more precise one', () => {
    const quote = 'We train with Adam at a learning rate of 3e-4 for all tasks.';
    const one = found('Training uses the Adam optimiser.', { quote });
    const other = found('Training uses the Adam optimiser on all tasks.', {
      quote: 'We train with Adam at a learning rate of 3e-4',
      values: ['optimiser=Adam'],
      place: 'sec-1',
    });
    const united = uniteRequirements([[one], [other]], ['sec-1']);
    assert.equal(united.length, 1);
    assert.deepEqual(united[0]?.values, ['optimiser=Adam']);
    assert.equal(united[0]?.place, 'sec-1');
  });

  it('keeps apart what differs in a number, a value, a name or one word of the same sentence', () => {
    const quote = 'We evaluate on dense Hopper, sparse Hopper and Walker with 5 or 10 seeds.';
    const list = [
      found('The policy is evaluated on dense Hopper.', { quote }),
      found('The policy is evaluated on sparse Hopper.', { quote }),
      found('The policy is evaluated on Walker.', { quote }),
      found('The policy is evaluated with 5 seeds.', { quote }),
      found('The policy is evaluated with 10 seeds.', { quote }),
      found('The method is compared with PPO as a baseline agent.', { kind: 'baseline' }),
      found('The method is compared with PPO-RND as a baseline agent.', { kind: 'baseline' }),
      found('The penalty weight is as in the table.', { values: ['lambda=0.01'] }),
      found('The penalty weight is as in the table.', { values: ['lambda=0.02'] }),
    ];
    assert.deepEqual(
      demandsOf(list),
      list.map(({ demand }) => demand),
    );
  });

  it('keeps apart kinds that are not confused, and unites those that are', () => {
    assert.equal(
      demandsOf(
        [found('Error is the mean of squares.', { kind: 'metric' })],
        [found('Error is the mean of squares.', { kind: 'measurement' })],
      ).length,
      1,
    );
    assert.equal(
      demandsOf(
        [found('Error is the mean of squares.', { kind: 'metric' })],
        [found('Error is the mean of squares.', { kind: 'loss' })],
      ).length,
      2,
    );
  });

  it('numbers by place in the paper, then lens, unknown places last and emptied', () => {
    const united = uniteRequirements(
      [
        [found('Gamma thing.', { place: 'sec-2' }), found('Nowhere thing.', { place: 'sec-99' })],
        [found('Alpha thing.', { place: 'sec-1' }), found('Beta thing.', { place: 'sec-2' })],
      ],
      ['sec-1', 'sec-2'],
    );
    assert.deepEqual(
      united.map(({ id, demand, place }) => `${id} ${demand} ${place}`),
      [
        'R1 Alpha thing. sec-1',
        'R2 Gamma thing. sec-2',
        'R3 Beta thing. sec-2',
        'R4 Nowhere thing. ',
      ],
    );
  });

  it('lets only a supplement take a demand out of scope', () => {
    const scopeOf = (place: string): string | undefined =>
      uniteRequirements(
        [
          [found('Timing study of layers.')],
          [found('Timing study of layers.', { scope: 'excluded', place })],
        ],
        ['sec-1', 'sup-1/sec-1'],
      )[0]?.scope;
    assert.equal(scopeOf('sup-1/sec-1'), 'excluded');
    assert.equal(scopeOf('sec-1'), 'main');
  });

  it('is quick on many requirements', () => {
    const lens = (name: string): FoundRequirement[] =>
      Array.from({ length: 400 }, (_, index) =>
        found(`Item ${name}${index} has setting ${index} of tasks.`),
      );
    const started = process.cpuUsage();
    assert.equal(demandsOf(lens('a'), lens('b'), lens('c')).length, 1200);
    // Of the processor, as others may be at work beside.
    assert.ok(process.cpuUsage(started).user < 5_000_000);
  });

  it('takes places in the order of the paper, supplements last', () => {
    assert.deepEqual(placesOf(aPaper()).slice(-2), ['sec-4', 'sup-1/sec-1']);
  });
});

describe('uniteRequirements on three readings of one paper', () => {
  const lenses = [0, 1, 2].map((lens) => LEDGER_ROWS.filter((row) => row.lens === lens));
  const places = [...new Set(LEDGER_ROWS.map(({ found: { place } }) => place))].sort();
  const united = uniteRequirements(
    lenses.map((rows) => rows.map(({ found: each }) => each)),
    places,
  );

  /** Which of the distinct demands a united row holds: those whose wording and place it has. */
  function demandsIn({ demand }: Requirement): string[] {
    return LEDGER_ROWS.filter(({ found: { demand: wording } }) => demand.includes(wording)).map(
      (row) => row.demand,
    );
  }

  it('loses no demand', () => {
    const kept = new Set(united.flatMap(demandsIn));
    const lost = LEDGER_ROWS.filter(({ demand }) => !kept.has(demand));
    assert.deepEqual(
      lost.map(({ demand }) => demand),
      [],
    );
  });

  it('unites only what is one demand', () => {
    const mixed = united.map(demandsIn).filter((demands) => new Set(demands).size > 1);
    assert.deepEqual(mixed, []);
  });

  it('finds at least four of five redundant rows, and keeps their places', () => {
    const distinct = new Set(LEDGER_ROWS.map(({ demand }) => demand)).size;
    const redundant = LEDGER_ROWS.length - distinct;
    const left = united.length - distinct;
    assert.ok(redundant >= 25);
    assert.ok(left <= redundant / 5, `${left} of ${redundant} redundant rows are left.`);
    const batch = united.find(({ values }) => values.includes('batch_size=256'));
    assert.deepEqual([batch?.place, batch?.otherPlaces], ['sec-6-6', ['sec-5']]);
  });
});
