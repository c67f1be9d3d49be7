import assert from 'node:assert/strict';
import { ignoreFile } from '../../src/domain/ignored-paths.ts';
import { aBlueprint, aFile } from '../fakes/builders.ts';

describe('ignoreFile', () => {
  it('names the folders that measures are written to and the usual ones, never one of a planned file', () => {
    const { files, experiments } = aBlueprint();
    const [first] = experiments;
    assert.ok(first);
    const measure = { name: 'm', when: '', unit: '', file: 'tables/m.csv' };
    const lines = ignoreFile({
      files: [...files, aFile({ path: 'data/prepare.py' })],
      experiments: [{ ...first, measures: [...first.measures, measure, { ...measure, file: '' }] }],
    }).split('\n');
    for (const line of ['/results/', '/tables/', '__pycache__/']) assert.ok(lines.includes(line));
    assert.ok(lines.includes('/results[-_]*/'));
    assert.ok(!lines.includes('/data/') && !lines.includes('//'));
  });
});
