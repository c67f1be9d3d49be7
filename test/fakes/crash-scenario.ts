// What the scripted server answers in crash tests: the plan's answers; and a line in CRASH_LOG for each request, before
// its answer. CRASH_FILES and CRASH_DEPTH are the plan's; the model's name tells runs apart.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Answer, ServerRequest } from './openai-server.ts';
import { aPlan, answerTo } from './plan-scenario.ts';

const log = process.env['CRASH_LOG'] ?? '';
const plan = aPlan({
  files: Number(process.env['CRASH_FILES']),
  depth: Number(process.env['CRASH_DEPTH']),
});
const latencyMs = Number(process.env['CRASH_LATENCY_MS']);

export function answer({ body, prompt }: ServerRequest): Answer {
  const messages = body.messages.map(({ role, content }) => [role, content]);
  const sha256 = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
  appendFileSync(log, `${JSON.stringify({ model: body.model, sha256, at: Date.now() })}\n`);
  // Told by the request alone, so that an answer takes as long when it is asked for again.
  const share = Number.parseInt(sha256.slice(0, 4), 16) / 0xffff;
  return { kind: 'reply', text: answerTo(prompt, plan), latencyMs: latencyMs * (0.5 + share) };
}
