import assert from 'node:assert/strict';
import { needsOf, orderByNeeds, readyFiles } from '../../src/domain/order.ts';

function items(graph: Record<string, string[]>): { path: string; needs: string[] }[] {
  return Object.entries(graph).map(([path, needs]) => ({ path, needs }));
}

function ordered(graph: Record<string, string[]>): string {
  return orderByNeeds(items(graph))
    .map(({ path }) => path)
    .join('');
}

describe('orderByNeeds', () => {
  it('puts each after those it needs, otherwise as given', () => {
    assert.equal(ordered({ a: ['c'], b: [], c: ['d'], d: [] }), 'bdca');
    assert.equal(ordered({ a: [], b: [], c: [] }), 'abc');
  });

  it('ignores needs that name nothing, and of itself', () => {
    assert.equal(ordered({ a: ['x', 'a'], b: ['a'] }), 'ab');
  });

  it('breaks a cycle at its first item, not at one that only waits for it', () => {
    assert.equal(ordered({ w: ['a'], a: ['b'], b: ['a'], z: [] }), 'zawb');
  });
});

describe('needsOf', () => {
  it('follows needs, nearest first', () => {
    const graph = new Map(
      items({ a: ['b', 'c'], b: ['d'], c: [], d: ['b'] }).map((i) => [i.path, i]),
    );
    assert.deepEqual([...needsOf('a', graph)], ['b', 'c', 'd']);
    assert.deepEqual([...needsOf('b', graph)], ['d', 'b']);
  });
});

describe('readyFiles', () => {
  const graph = items({ a: [], b: ['a', 'unknown'], c: ['b'] });

  it('gives planned files whose needs are settled', () => {
    const planned = new Set(['b', 'c']);
    assert.deepEqual(
      readyFiles(graph, (path) => planned.has(path)).map(({ path }) => path),
      ['b'],
    );
  });

  it('gives the first planned file when none is ready, and nothing when none is planned', () => {
    const cycle = items({ a: ['b'], b: ['a'] });
    assert.deepEqual(
      readyFiles(cycle, () => true).map(({ path }) => path),
      ['a'],
    );
    assert.deepEqual(
      readyFiles(cycle, () => false),
      [],
    );
  });
});
