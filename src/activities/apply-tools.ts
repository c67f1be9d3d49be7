import { checkFile } from '../diagnostics/check-file.ts';
import { ModelReply, type ChatMessage } from '../domain/message.ts';
import { writeAgain } from '../prompts/write-again.ts';
import { readWrite } from '../prompts/write-answer.ts';
import { getJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import { endProblem } from './ask.ts';
import { loadConversation, storeConversation } from './conversation.ts';
import type { Deps } from './deps.ts';
import type { TurnEnd } from './index.ts';
import { ToolsInput } from './inputs.ts';
import { say } from './say.ts';

/** Carries out one reply: the write is accepted, or the conversation goes on with the reasons why not. */
export function applyTools(deps: Deps) {
  return unpaid(ToolsInput, async (input): Promise<TurnEnd> => {
    const { run, path, round, turn } = input;
    const reply = await getJson(deps.store, ModelReply, input.reply);
    const { content, reasons } = judge(deps, path, reply);
    const file = content === undefined ? null : await deps.store.put(content);
    if (file && reasons.length === 0) {
      const text = `Wrote ${path}: ${file.bytes} bytes in ${turn} ${turn === 1 ? 'turn' : 'turns'}.`;
      await say(deps, run, { kind: 'file-written', round, subject: path, text, ref: file });
      return { kind: 'accepted', file };
    }
    const text = `Refused ${path} (turn ${turn}): ${reasons.join(' ')}`;
    await say(deps, run, {
      kind: 'file-refused',
      round,
      subject: `${path} t${turn}`,
      text,
      ref: file,
    });
    const asked = await loadConversation(deps, input.conversation);
    const answer: ChatMessage = { role: 'assistant', content: reply.text, toolCalls: [] };
    const messages = [...asked, answer, writeAgain(path, reasons)];
    const conversation = await storeConversation(deps, messages);
    return { kind: 'go-on', conversation, reasons, lastAttempt: file };
  });
}

/** The file that a reply writes, and why it cannot be accepted as it is. */
function judge(
  { parser }: Deps,
  path: string,
  reply: ModelReply,
): { content?: string; reasons: string[] } {
  const cut = endProblem(reply);
  const reading = readWrite(reply.text, path);
  if (reading.kind === 'problems') return { reasons: cut ? [cut] : [...reading.problems] };
  const { content } = reading.answer;
  const problems = checkFile(parser.parse(path, content), content);
  const reasons = problems.map(({ message, remedy }) => `${message} ${remedy}`);
  return { content, reasons: cut ? [cut, ...reasons] : reasons };
}
