// What the scripted server answers in crash tests of deepplan; and a line in CRASH_LOG for each request, before its answer.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { deepplanAnswer } from './deepplan-answers.ts';
import type { Answer, ServerRequest } from './openai-server.ts';

const log = process.env['CRASH_LOG'] ?? '';
const latencyMs = Number(process.env['CRASH_LATENCY_MS']);

export function answer({ body, prompt }: ServerRequest): Answer {
  const messages = body.messages.map(({ role, content }) => [role, content]);
  const sha256 = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
  appendFileSync(log, `${JSON.stringify({ model: body.model, sha256, at: Date.now() })}\n`);
  const share = Number.parseInt(sha256.slice(0, 4), 16) / 0xffff;
  const told = deepplanAnswer(prompt, body.messages);
  return { kind: 'reply', ...told, latencyMs: latencyMs * (0.5 + share) };
}
