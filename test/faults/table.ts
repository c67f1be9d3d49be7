// Prints the table of planted faults for ARCHITECTURE.md, and what was missed or wrongly said: npm run faults
import { parseArgs } from 'node:util';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { cleanRepositories, plantedFaults } from './corpus.ts';
import { lineOf } from './expectations.ts';
import { findingsOf, sightAll, tableByKind } from './measure.ts';
import { mutants } from './mutate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '20261130' },
    mutants: { type: 'string', default: '200' },
  },
});

const parser = await createParser();
const clean = await cleanRepositories();
const faults = [
  ...(await plantedFaults(clean)),
  ...mutants(clean, Number(values.seed), Number(values.mutants)),
];
const sightings = sightAll(parser, faults);
console.log(tableByKind(sightings));

const alarms = clean.flatMap((one) =>
  findingsOf(parser, one).map((finding) => `${one.name}: ${lineOf(finding)}`),
);
console.log(`\nFalse alarms on ${clean.length} clean repositories: ${alarms.length}`);
for (const alarm of alarms) console.log(`- ${alarm}`);
const missed = sightings.filter(({ isFound }) => !isFound);
console.log(`\nMissed: ${missed.length}`);
for (const { fault, problems } of missed)
  console.log(
    [`- ${fault.name} (${fault.kinds[0] ?? ''})`, ...problems.map(lineOf)].join('\n    '),
  );
