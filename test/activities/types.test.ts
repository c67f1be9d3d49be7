import assert from 'node:assert/strict';
import { typesOf } from '../../src/activities/check-types.ts';
import type { Pyright, TypeCheck } from '../../src/analyzers/pyright.ts';
import { advance, begin } from '../../src/domain/advance.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import type { Problem } from '../../src/domain/finding.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import { aBlueprint } from '../fakes/builders.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';

const REF = { sha256: '0'.repeat(64), bytes: 1 };
const FAULT = aProblem('type-fault', 'train: fit');

describe('the types of a round', () => {
  it('add what is not known already, and are asked of files that can be read whole', async () => {
    const { check, asked } = await typesWith({ kind: 'checked', problems: [FAULT] });
    assert.deepEqual(await check([]), [FAULT]);
    assert.deepEqual(await check([aProblem('wrong-call', 'train: Model.fit')]), []);
    await check([{ ...aProblem('does-not-parse', ''), path: 'b.py' }]);
    assert.deepEqual(asked, [['a.py', 'b.py'], ['a.py', 'b.py'], ['a.py']]);
  });

  it('stand as they were where nobody looked, and the state says so until somebody does', async () => {
    const { check, unchecked, state } = await typesWith({ kind: 'not-run', reason: 'it fell' });
    assert.deepEqual(await check([]), [FAULT]);
    assert.equal(unchecked(), 'it fell');
    const told = inspected(state, [FAULT], 'it fell');
    assert.equal(told.typesUnchecked, 'it fell');
    assert.equal(inspected(told, [FAULT]).typesUnchecked, undefined);
  });
});

async function typesWith(answer: TypeCheck) {
  const product = await aProduct(scriptedModel(() => ''));
  const asked: string[][] = [];
  const pyright: Pyright = {
    check(texts) {
      asked.push([...texts.keys()].sort());
      return Promise.resolve(answer);
    },
    pid: () => undefined,
    end: () => Promise.resolve(),
  };
  const { store } = product.deps;
  const text = await store.put('x = 1\n');
  const tree = { 'a.py': text, 'b.py': text, 'README.md': text };
  const state = inspected(begin({ settings: REF, paper: REF, blueprint: REF }), [FAULT]);
  const types = typesOf({ store, pyright }, state);
  after(() => product.end());
  return {
    ...{ asked, state, unchecked: types.unchecked },
    check: (known: readonly Problem[]) => types.check(tree, known),
  };
}

function inspected(state: RunState, problems: Problem[], typesUnchecked?: string): RunState {
  const diagnosis = {
    ...{ schemaVersion: 1 as const, problems, interfaces: {}, rolledBack: [] },
    ...(typesUnchecked !== undefined && { typesUnchecked }),
  };
  const record = { kind: 'inspection' as const, diagnosis: REF, notes: [] };
  const limits = DEFAULT_LIMITS;
  return advance(state, { record, diagnosis, limits, stateRef: REF, blueprint: aBlueprint() });
}

function aProblem(kind: Problem['kind'], symbol: string): Problem {
  return { kind, path: 'a.py', symbol, message: 'It fails.', remedy: 'Mend it.' };
}
