import assert from 'node:assert/strict';
import { answerTo, aPlan } from '../fakes/plan-scenario.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { writtenRun } from './written-run.ts';

const PLAN = aPlan({ files: 6, depth: 2 });

function duty({ messages }: ModelRequest): string {
  return answerTo(messages.map(({ content }) => content).join('\n'), PLAN);
}

describe('a planner that errs', () => {
  it('loses the file that cannot be written, and no other', async () => {
    const { outcome, texts, notices } = await writtenRun(PLAN, (request) =>
      request.label.startsWith('plan/files/')
        ? duty(request).replace('@done', '@file ../up.py\npurpose: out\n@done')
        : undefined,
    );
    assert.equal(outcome, 'complete');
    assert.equal(texts.size, PLAN.length);
    assert.ok(notices.some((text) => text.includes('../up.py')));
  });

  it('keeps its plan when its amendments would leave no file', async () => {
    const retired = PLAN.map(({ path }) => `@retire ${path}\n`).join('');
    const { outcome, texts, notices } = await writtenRun(PLAN, ({ label }) =>
      label.startsWith('plan/amend/') ? `${retired}@done` : undefined,
    );
    assert.equal(outcome, 'complete');
    assert.equal(texts.size, PLAN.length);
    assert.ok(notices.some((text) => text.includes('was not amended')));
  });

  it('cannot make a run complete whose paper asks for nothing', async () => {
    const { outcome } = await writtenRun(PLAN, ({ label }) =>
      label.startsWith('requirements/') ? '@done' : undefined,
    );
    assert.equal(outcome, 'complete-with-gaps');
  });
});
