import { ModelReply, type ChatMessage } from '../domain/message.ts';
import { writeAgain } from '../prompts/write-again.ts';
import { getJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import { loadConversation, storeConversation } from './conversation.ts';
import type { Deps } from './deps.ts';
import type { TurnEnd } from './index.ts';
import { ToolsInput } from './inputs.ts';
import { judgeWrite, sayWritten } from './judge-write.ts';
import { say } from './say.ts';

/** Carries out one reply: the write is accepted, or the conversation goes on with the reasons why not. */
export function applyTools(deps: Deps) {
  return unpaid(ToolsInput, async (input): Promise<TurnEnd> => {
    const { run, path, round, turn } = input;
    const reply = await getJson(deps.store, ModelReply, input.reply);
    const { file, reasons } = await judgeWrite(deps, path, reply);
    if (file && reasons.length === 0) {
      await sayWritten(deps, input, file);
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
    return { kind: 'go-on', conversation, reasons: inShort(reasons), lastAttempt: file };
  });
}

/** Reasons that travel through a workflow's history, 32 files of them in one commit; the conversation holds them whole. */
const MOST_REASONS = 3;
const MOST_CHARACTERS = 200;

function inShort(reasons: readonly string[]): string[] {
  const cut = reasons.map((reason) =>
    reason.length > MOST_CHARACTERS ? `${reason.slice(0, MOST_CHARACTERS - 1)}…` : reason,
  );
  const more = cut.length - MOST_REASONS;
  return more > 0 ? [...cut.slice(0, MOST_REASONS), `(${more} more)`] : cut;
}
