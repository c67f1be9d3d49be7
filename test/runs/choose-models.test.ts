import assert from 'node:assert/strict';
import { Role } from '../../src/domain/message.ts';
import { DEFAULT_LIMITS, type RunSettings } from '../../src/domain/run-settings.ts';
import { changedSettings, keyNamesOfChange } from '../../src/runs/change-model.ts';
import {
  chooseModels,
  describeModels,
  keyNamesIn,
  unpricedRole,
  type ModelWish,
} from '../../src/runs/choose-models.ts';

const KEYS = { OPENAI_API_KEY: 'a-key', OTHER_KEY: 'another-key' };
const WISH: ModelWish = {
  ...{ model: 'gpt-5-mini', baseUrl: undefined, keyEnv: 'OPENAI_API_KEY' },
  ...{ price: undefined, replay: undefined },
};
const NOTHING = { model: undefined, baseUrl: undefined, keyEnv: undefined, price: undefined };

function namesOf({ models }: Pick<RunSettings, 'models'>): Record<string, string> {
  return Object.fromEntries(Role.options.map((role) => [role, models[role].model]));
}

function settingsFor(wish: ModelWish): RunSettings {
  const hash = { sha256: '0'.repeat(64), bytes: 1 };
  return {
    ...{ schemaVersion: 1, seed: '0'.repeat(32), task: hash, mode: 'fast', unit: 'usd' },
    ...{ maxOutputTokens: 32_000, limits: DEFAULT_LIMITS },
    ...chooseModels(wish, KEYS),
  };
}

describe('the models of a run', () => {
  it('are one for all roles, but for those that are named', () => {
    const models = chooseModels({ ...WISH, roles: { planner: { model: 'gpt-5' } } }, KEYS);
    const { planner, ...others } = namesOf(models);
    assert.equal(planner, 'gpt-5');
    assert.deepEqual([...new Set(Object.values(others))], ['gpt-5-mini']);
    assert.equal(models.seesFigures, undefined);
  });

  it('ask a role elsewhere with a key of its own, at a price of its own', () => {
    const judge = {
      model: 'llama',
      baseUrl: 'http://127.0.0.1:9/v1',
      keyEnv: 'OTHER_KEY',
      price: '1,2',
    };
    const { models } = chooseModels({ ...WISH, roles: { judge } }, KEYS);
    assert.equal(models.judge.baseUrl, 'http://127.0.0.1:9/v1');
    assert.equal(models.judge.price?.output, 2);
    assert.deepEqual(keyNamesIn(models), ['OPENAI_API_KEY', 'OTHER_KEY']);
    assert.equal(models.executor.baseUrl, 'https://api.openai.com/v1');
  });

  it('are refused where the variable that is named for the key of a role is not set', () => {
    const judge = { model: 'llama', baseUrl: 'http://127.0.0.1:9/v1', keyEnv: 'MISSING_KEY' };
    assert.throws(
      () => chooseModels({ ...WISH, roles: { judge } }, KEYS),
      /MISSING_KEY is not set, and is named for the key of 127\.0\.0\.1:9/,
    );
  });

  it('are named together, each once', () => {
    const inWords = (roles: ModelWish['roles'] = {}) =>
      describeModels(chooseModels({ ...WISH, roles }, KEYS));
    assert.equal(inWords(), 'gpt-5-mini');
    assert.equal(
      inWords({ analysis: { model: 'gpt-5-mini' }, planner: { model: 'gpt-5' } }),
      'gpt-5-mini (planner: gpt-5)',
    );
    assert.equal(inWords({ vision: { model: 'none' } }), 'gpt-5-mini');
  });

  it('name the role whose price is not known', () => {
    const { models } = chooseModels({ ...WISH, roles: { memory: { model: 'unheard-of' } } }, KEYS);
    assert.equal(unpricedRole(models), 'memory');
  });

  it('show figures to the vision model that is named, and to none that is called none', () => {
    const seen = chooseModels({ ...WISH, roles: { vision: { model: 'gpt-5' } } }, KEYS);
    assert.deepEqual([seen.seesFigures, seen.models.vision.model], [true, 'gpt-5']);
    const blind = chooseModels({ ...WISH, roles: { vision: { model: 'none' } } }, KEYS);
    assert.deepEqual([blind.seesFigures, blind.models.vision.model], [undefined, 'gpt-5-mini']);
  });

  it('come from the recorded replies where those are replayed', () => {
    const wish = { ...WISH, replay: '/replies', roles: { planner: { model: 'gpt-5' } } };
    const { models } = chooseModels(wish, {});
    assert.deepEqual([models.planner.baseUrl, models.planner.model], ['replay:/replies', 'gpt-5']);
  });
});

describe('a change of models', () => {
  const before = settingsFor({
    ...WISH,
    roles: { planner: { model: 'gpt-5' }, vision: { model: 'gpt-4.1' } },
  });
  const change = (wish: object) =>
    changedSettings(before, { ...NOTHING, ...wish, environment: KEYS });

  it('of one role leaves the others', () => {
    const after = change({ roles: { judge: { model: 'gpt-4.1-mini' } } });
    assert.deepEqual(namesOf(after), { ...namesOf(before), judge: 'gpt-4.1-mini' });
    assert.equal(after.seesFigures, true);
  });

  it('for all leaves only the eyes, and roles that are named beside it', () => {
    const after = change({ model: 'gpt-5-nano', roles: { memory: { model: 'gpt-4.1-nano' } } });
    const { memory, vision, ...others } = namesOf(after);
    assert.deepEqual([memory, vision], ['gpt-4.1-nano', 'gpt-4.1']);
    assert.deepEqual([...new Set(Object.values(others))], ['gpt-5-nano']);
  });

  it('of the address takes every role there, each with its model and price', () => {
    const after = change({ baseUrl: 'http://127.0.0.1:9/v1' });
    assert.deepEqual(namesOf(after), namesOf(before));
    assert.deepEqual(after.models.planner.price, before.models.planner.price);
    assert.ok(Role.options.every((role) => after.models[role].baseUrl.includes(':9/')));
  });

  it('of the price is of the model that most roles have', () => {
    const after = change({ price: '7,8' });
    assert.equal(after.models.executor.price?.output, 8);
    assert.deepEqual(after.models.planner.price, before.models.planner.price);
  });

  it('can take the figures away', () => {
    assert.equal(change({ roles: { vision: { model: 'none' } } }).seesFigures, undefined);
  });

  it('names the keys that it needs', () => {
    const roles = { judge: { model: 'llama', keyEnv: 'OTHER_KEY' } };
    assert.deepEqual(keyNamesOfChange({ ...NOTHING, keyEnv: 'A', roles, environment: {} }), [
      'A',
      'OTHER_KEY',
    ]);
  });
});
