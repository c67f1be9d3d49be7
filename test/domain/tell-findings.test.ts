import assert from 'node:assert/strict';
import { tellFindings } from '../../src/domain/tell-findings.ts';
import { aFinding } from '../fakes/builders.ts';

describe('what a planner is told of many findings', () => {
  const flood = Array.from({ length: 300 }, (_, index) =>
    aFinding({ id: `a${index}`, path: 'a.py', symbol: `main: name_${index}` }),
  );

  it('is all of them while there is room', () => {
    const few = flood.slice(0, 3);
    assert.deepEqual(tellFindings(few, 1_000), { told: few, untold: [] });
  });

  it('never hides one file behind the many findings of another', () => {
    const other = aFinding({ id: 'b', path: 'b.py' });
    const { told, untold } = tellFindings([...flood, other], 500);
    assert.ok(told.includes(other));
    assert.equal(told.length + untold.length, flood.length + 1);
    assert.ok(told.length >= 5 && told.length < 60, `${told.length} are told.`);
  });

  it('leaves warnings out before anything that blocks', () => {
    const warnings = flood.map((finding) => ({ ...finding, kind: 'unused-key' as const }));
    const blocking = aFinding({ id: 'z', path: 'a.py' });
    assert.ok(tellFindings([...warnings, blocking], 100).told.includes(blocking));
  });
});
