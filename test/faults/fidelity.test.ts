import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { cleanRepositories } from './corpus.ts';
import { assertShare, lineOf } from './expectations.ts';
import { reproductions } from './fidelity.ts';
import { findingsOf, sightAll } from './measure.ts';

const LEAST_FOUND = 0.75;

describe('the diagnosis of reproductions that have a ledger', () => {
  it('finds nothing wrong with faithful ones', async () => {
    const parser = await createParser();
    const all = await reproductions(await cleanRepositories());
    assert.ok(all.length >= 5);
    const said = all.flatMap(({ original }) =>
      findingsOf(parser, original).map((one) => `${original.name}: ${lineOf(one)}`),
    );
    assert.deepEqual(said, []);
  });

  it('finds what is unfaithful wherever code alone can tell', async () => {
    const parser = await createParser();
    const all = await reproductions(await cleanRepositories());
    const mutants = all.flatMap((one) => one.mutants);
    assert.ok(mutants.length >= 40);
    const decidable = mutants.filter((one) => one.decidable === 'static');
    assertShare(sightAll(parser, decidable), LEAST_FOUND);
  });
});
