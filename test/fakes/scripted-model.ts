import assert from 'node:assert/strict';
import type { ModelReply } from '../../src/domain/message.ts';
import type { Model, ModelRequest } from '../../src/models/model.ts';

/** What a script answers with: the text, parts of a reply, or an error to throw. */
export type ScriptedAnswer = string | Partial<ModelReply> | Error;

/** A model that answers from a script, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
  /** How often each label was asked for. */
  readonly callsByLabel: ReadonlyMap<string, number>;
}

/** A whole reply around the parts that a test cares about. */
export function aReply(parts: Partial<ModelReply> = {}): ModelReply {
  const text = parts.text ?? '';
  const calls = parts.toolCalls?.length ?? 0;
  return {
    schemaVersion: 1,
    text,
    toolCalls: [],
    finish: calls > 0 ? 'tool-calls' : 'stop',
    usage: { inputTokens: 100, cachedTokens: 0, outputTokens: 10, estimated: false },
    providerState: null,
    ...parts,
  };
}

/** Answers every request with what `answer` says. */
export function scriptedModel(answer: (request: ModelRequest) => ScriptedAnswer): ScriptedModel {
  const requests: ModelRequest[] = [];
  const callsByLabel = new Map<string, number>();
  return {
    requests,
    callsByLabel,
    async reply(request, signal, onProgress) {
      signal.throwIfAborted();
      requests.push(request);
      callsByLabel.set(request.label, (callsByLabel.get(request.label) ?? 0) + 1);
      const reply = replyOf(answer(request));
      onProgress?.({ characters: reply.text.length });
      return reply;
    },
  };
}

/** Answers with a list, in order; a surprise call fails at once, an unused answer in `assertAllUsed`. */
export function listedModel(
  answers: readonly ScriptedAnswer[],
): ScriptedModel & { assertAllUsed(): void } {
  const model = scriptedModel((request) => {
    const answer = answers[model.requests.length - 1];
    const asked = `Call ${model.requests.length} ("${request.label}")`;
    assert.ok(answer !== undefined, `${asked} is a surprise: ${answers.length} were expected.`);
    return answer;
  });
  const assertAllUsed = () => {
    const used = model.requests.length;
    assert.equal(used, answers.length, `Of ${answers.length} answers ${used} were used.`);
  };
  return { ...model, assertAllUsed };
}

function replyOf(answer: ScriptedAnswer): ModelReply {
  if (answer instanceof Error) throw answer;
  return aReply(typeof answer === 'string' ? { text: answer } : answer);
}
