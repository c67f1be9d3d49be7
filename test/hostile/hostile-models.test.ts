import { play, shortCases } from './hostile-suite.ts';

describe('a run on a hostile model', () => {
  for (const each of shortCases())
    it(`keeps its promises on ${each.title}`, async () => {
      await play(each);
    });
});
