import assert from 'node:assert/strict';
import { checkModels } from '../src/client-doctor-models.ts';
import type { Check } from '../src/domain/check.ts';
import type { ProjectFile } from '../src/domain/project-file.ts';
import { startOpenAiServer } from './fakes/openai-server.ts';

describe('the models that the doctor asks', () => {
  it('are each asked once, whatever is wrong with another', async () => {
    const server = await startOpenAiServer({ answer: () => ({ kind: 'reply', text: 'yes' }) });
    const checks: Check[] = [];
    const project: ProjectFile = {
      keyEnv: 'MAIN_KEY',
      roles: {
        analysis: { model: 'small' },
        planner: { model: 'big' },
        judge: { model: 'big', keyEnv: 'MISSING_KEY' },
      },
    };
    const settings = {
      ...{ home: '', isRemote: false, model: 'small', baseUrl: server.baseUrl },
      ...{ project, projectProblem: '', heartbeatMs: 1000, continueEvery: undefined },
      environment: { MAIN_KEY: 'a-key' },
    };
    try {
      for await (const check of checkModels(settings, { isOffline: false, model: undefined }))
        checks.push(check);
    } finally {
      await server.close();
    }
    assert.equal(server.requests.length, 2);
    const [model, planner, judge, ...others] = checks;
    assert.deepEqual(others, []);
    assert.match(model?.found ?? '', /^small at .* answered/);
    assert.equal(planner?.name, 'planner');
    assert.match(planner?.found ?? '', /^big at .* answered/);
    assert.equal(judge?.result, 'bad');
    assert.match(judge?.found ?? '', /MISSING_KEY is not set/);
  });
});
