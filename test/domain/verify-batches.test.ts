import assert from 'node:assert/strict';
import { batchQuestions, halved } from '../../src/domain/verify-batches.ts';

const ask = (key: string, ...files: string[]) => ({ key, files });
const tokensOf = (): number => 10;

describe('questions to the verifier', () => {
  it('go into one batch while their files fit', () => {
    const [batch, ...others] = batchQuestions([ask('R1', 'a'), ask('R2', 'a', 'b')], tokensOf);
    assert.deepEqual(others, []);
    assert.deepEqual(batch?.files, ['a', 'b']);
    assert.deepEqual(
      batch?.questions.map(({ key }) => key),
      ['R1', 'R2'],
    );
  });

  it('are shared out so that few files are sent twice', () => {
    const questions = [
      ask('R1', 'a', 'b'),
      ask('R2', 'c', 'd'),
      ask('R3', 'b', 'a'),
      ask('R4', 'd'),
    ];
    const batches = batchQuestions(questions, tokensOf, { questions: 9, tokens: 20 });
    assert.deepEqual(
      batches.map((batch) => batch.questions.map(({ key }) => key)),
      [
        ['R1', 'R3'],
        ['R2', 'R4'],
      ],
    );
  });

  it('of one set of files begin alike, those of most questions first', () => {
    const questions = Array.from({ length: 6 }, (_, index) =>
      index === 0 ? ask('R0', 'z', 'a') : ask(`R${index}`, 'a', 'b'),
    );
    const batches = batchQuestions(questions, tokensOf, { questions: 3, tokens: 100 });
    assert.equal(batches.length, 2);
    for (const { files } of batches) assert.equal(files[0], 'a');
  });

  it('are each asked exactly once, also where one alone is too long', () => {
    const questions = [ask('R1', 'a', 'b', 'c'), ask('R2', 'd')];
    const batches = batchQuestions(questions, tokensOf, { questions: 9, tokens: 10 });
    const keys = batches.flatMap((batch) => batch.questions.map(({ key }) => key));
    assert.deepEqual(keys.sort(), ['R1', 'R2']);
  });

  it('are halved with the files that each half needs', () => {
    const halves = halved({ questions: [ask('R1', 'a'), ask('R2', 'b')], files: ['a', 'b'] });
    assert.deepEqual(
      halves.map(({ files }) => files),
      [['a'], ['b']],
    );
    assert.deepEqual(halved({ questions: [ask('R1', 'a')], files: ['a'] }), []);
  });
});
