import assert from 'node:assert/strict';
import { describeTurn } from '../../src/commands/describe-turn.ts';
import type { TranscriptTurn } from '../../src/runs/read-transcript.ts';

function aTurn(changes: Partial<TranscriptTurn>): TranscriptTurn {
  return {
    ...{ label: 'r1/write/src/a.py/t2', round: 1, turn: 2, model: 'm', paidBy: 'toy' },
    ...{ startedAt: '2030-01-01T00:00:00.000Z', durationMs: 1_000, cost: 0 },
    usage: { inputTokens: 9, cachedTokens: 0, outputTokens: 3, estimated: false },
    ...{ messages: [], reply: '', calls: [], finish: 'stop', refusal: '' },
    ...changes,
  };
}

describe('a turn in a transcript', () => {
  it('shows calls with what they write in lines, and the results of all calls before', () => {
    const lines = describeTurn(
      aTurn({
        messages: [
          { role: 'user', content: 'the task' },
          { role: 'assistant', content: '', toolCalls: [] },
          { role: 'tool', toolCallId: 'a', content: 'the first result' },
          { role: 'tool', toolCallId: 'b', content: 'the second result' },
        ],
        calls: [
          {
            id: 'c',
            name: 'write_file',
            arguments: '{"path":"src/a.py","content":"x = 1\\ny = 2\\n"}',
          },
          { id: 'd', name: 'check_file', arguments: '{' },
        ],
        finish: 'tool-calls',
      }),
      false,
    );
    const text = lines.join('\n');
    assert.match(text, /the first result[^]*the second result/);
    assert.doesNotMatch(text, /the task/);
    assert.match(
      text,
      /calls write_file:\n {2}│ path: src\/a\.py\n {2}│ content:\n {2}│ {3}x = 1\n {2}│ {3}y = 2/,
    );
    assert.match(text, /calls check_file:\n {2}│ \{/);
  });

  it('shows the last message alone where it is no result', () => {
    const messages = ['paper', 'rules', 'file'].map((content) => ({
      role: 'user' as const,
      content,
    }));
    const text = describeTurn(aTurn({ messages, reply: 'done' }), false).join('\n');
    assert.match(text, /│ file\nreply \(4 characters\):\n {2}│ done/);
    assert.doesNotMatch(text, /│ rules/);
  });

  it('lets no text of a model steer the terminal', () => {
    const calls = [{ id: 'c', name: 'read\u001b[2J', arguments: '{"path":"\u001b[31m"}' }];
    const lines = describeTurn(aTurn({ calls }), true);
    assert.ok(lines.every((line) => !line.includes('\u001b')));
  });
});
