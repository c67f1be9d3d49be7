import { ContextTooLong, NeedsPerson } from '../domain/errors.ts';
import type { ChatMessage } from '../domain/message.ts';
import { writeFile } from '../prompts/write-file.ts';
import { paid, type Paying } from './activity.ts';
import { loadConversation, storeConversation } from './conversation.ts';
import type { Deps } from './deps.ts';
import { loadFileContext } from './file-task.ts';
import { TurnInput } from './inputs.ts';
import type { AnsweredCall } from './model-calls.ts';

/** How often a context is shrunk before a person is asked for a model with a larger window. */
const MAX_SHRINKS = 3;

/** One turn of the executor: what it is asked, and its reply. What the reply does is `applyTools`. */
export function takeTurn(deps: Deps) {
  return paid(deps, TurnInput, async (input, paying) => {
    const { messages, answered } = input.conversation
      ? await goOn(deps, input, paying, await loadConversation(deps, input.conversation))
      : await start(deps, input, paying);
    const conversation = await storeConversation(deps, messages);
    return { conversation, reply: answered.replyRef };
  });
}

interface Asked {
  readonly messages: readonly ChatMessage[];
  readonly answered: AnsweredCall;
}

async function goOn(
  _deps: Deps,
  input: TurnInput,
  { calls, settings }: Paying,
  messages: readonly ChatMessage[],
): Promise<Asked> {
  const answered = await calls.reply({
    label: labelOf(input, 0),
    role: 'executor',
    schemaId: 'write-file/1',
    messages,
    maxOutputTokens: settings.maxOutputTokens,
  });
  return { messages, answered };
}

/** The first turn, with as much context as the model's window takes. */
async function start(deps: Deps, input: TurnInput, paying: Paying): Promise<Asked> {
  const { calls, settings } = paying;
  for (let shrinks = 0; ; shrinks += 1) {
    const context = await loadFileContext(deps, input, paying, shrinks);
    const { messages, schemaId, maxOutputTokens } = writeFile(context, settings.maxOutputTokens);
    try {
      const label = labelOf(input, shrinks);
      const answered = await calls.reply({
        label,
        role: 'executor',
        schemaId,
        messages,
        maxOutputTokens,
      });
      return { messages, answered };
    } catch (error) {
      if (!(error instanceof ContextTooLong)) throw error;
      if (shrinks === MAX_SHRINKS) throw tooLong(input.path, error);
    }
  }
}

function tooLong(path: string, cause: ContextTooLong): NeedsPerson {
  return new NeedsPerson(
    'context',
    `Even the shortest request for ${path} does not fit the executor's window: ${cause.message}`,
    'Choose a model with a larger context window with `deeprepro resume NAME --model MODEL`.',
    { cause },
  );
}

function labelOf({ round, path, turn }: TurnInput, shrinks: number): string {
  return `r${round}/write/${path}/t${turn}${shrinks > 0 ? `/fit${shrinks}` : ''}`;
}
