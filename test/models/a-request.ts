import type { ModelRequest } from '../../src/models/model.ts';

/** A request to a server, with the parts that a test cares about. */
export function aRequest(baseUrl: string, parts: Partial<ModelRequest> = {}): ModelRequest {
  return {
    label: 'r1/write/main.py/t1/try1',
    endpoint: { baseUrl, keyEnv: 'TEST_KEY' },
    model: 'test-model',
    messages: [
      { role: 'system', content: 'You write code.' },
      { role: 'user', content: 'Write main.py.' },
    ],
    maxOutputTokens: 1_000,
    ...parts,
  };
}
