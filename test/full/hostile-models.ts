import { everyCase, pairs, play, resultsTable, type Row } from '../hostile/hostile-suite.ts';

const SEEDS = [1, 2, 3];
const PAIRS = 60;

describe('a run on a hostile model, in every part and way', function () {
  // The longest run takes 17 s; a busy machine takes many times as long.
  this.timeout(240_000);
  const rows: Row[] = [];
  after(() => console.log(`\n${resultsTable(rows)}\n`));

  for (const each of [...everyCase(SEEDS), ...pairs(PAIRS)])
    it(`keeps its promises on ${each.title}, seed ${each.seed}`, async () => {
      rows.push(await play(each));
    });
});
