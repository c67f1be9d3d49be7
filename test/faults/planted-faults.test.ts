import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { cleanRepositories, plantedFaults } from './corpus.ts';
import { assertBrief, assertFound, lineOf } from './expectations.ts';
import { findingsOf, sightAll } from './measure.ts';
import { mutants, OPERATORS } from './mutate.ts';

const SEED = 20261130;

describe('the diagnosis of small repositories', () => {
  it('finds nothing wrong with clean ones', async () => {
    const parser = await createParser();
    const clean = await cleanRepositories();
    assert.ok(clean.length >= 15);
    const said = clean.flatMap((one) =>
      findingsOf(parser, one).map((f) => `${one.name}: ${lineOf(f)}`),
    );
    assert.deepEqual(said, []);
  });

  it('finds faults written by hand, and two of each kind that mutation makes', async () => {
    const parser = await createParser();
    const clean = await cleanRepositories();
    const byHand = await plantedFaults(clean);
    const made = mutants(clean, SEED, 2 * OPERATORS.length);
    assert.ok(byHand.length >= 22 && made.length >= 25);
    const sightings = sightAll(parser, [...byHand, ...made]);
    assertFound(sightings);
    assertBrief(sightings);
  });
});

describe('the mutator', () => {
  it('makes the same faults of the same seed, and others of another', async () => {
    const clean = await cleanRepositories();
    const names = (seed: number) => mutants(clean, seed, 40).map(({ name }) => name);
    assert.deepEqual(names(1), names(1));
    assert.notDeepEqual(names(1), names(2));
  });

  it('changes the repository or its plan in every mutant, and leaves the clean one as it was', async () => {
    const clean = await cleanRepositories();
    const before = JSON.stringify(clean.map(({ tree }) => [...tree]));
    const made = mutants(clean, SEED, 200);
    const texts = new Set(clean.map(({ tree }) => JSON.stringify([...tree])));
    assert.ok(made.every(({ tree }) => !texts.has(JSON.stringify([...tree]))));
    assert.equal(JSON.stringify(clean.map(({ tree }) => [...tree])), before);
  });
});
