import assert from 'node:assert/strict';
import { cellCount } from '../../src/domain/experiment.ts';

describe('the cells of an experiment', () => {
  it('are counted without being made: a plan may name more than any memory holds', () => {
    assert.equal(cellCount(withAxes(0, 0)), 1);
    assert.equal(cellCount(withAxes(2, 3)), 9);
    assert.equal(cellCount(withAxes(12, 300)), Number.MAX_SAFE_INTEGER);
  });
});

function withAxes(axes: number, values: number) {
  return {
    ...{ id: 'E1', title: 'T', question: '', measures: [], command: '' },
    axes: Array.from({ length: axes }, (_, index) => ({
      name: `a${index}`,
      values: Array.from({ length: values }, (_value, place) => `v${place}`),
    })),
  };
}
