import { createParser } from '../../src/analyzers/parse-file.ts';
import { cleanRepositories } from './corpus.ts';
import { assertBrief, assertFound } from './expectations.ts';
import { sightAll } from './measure.ts';
import { mutants } from './mutate.ts';

describe('the diagnosis of 200 mutants', () => {
  for (const seed of [20261130, 4]) {
    it(`finds them, made of the seed ${seed}`, async () => {
      const parser = await createParser();
      const faults = mutants(await cleanRepositories(), seed, 200);
      const sightings = sightAll(parser, faults);
      assertFound(sightings);
      assertBrief(sightings);
    }).timeout(300_000);
  }
});
