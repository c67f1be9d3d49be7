import type { Draft } from '../domain/draft.ts';
import { ContextTooLong, NeedsPerson } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { writeFile } from '../prompts/write-file.ts';
import { paid, type Paying } from './activity.ts';
import { loadConversation, storeConversation, type Spoken } from './conversation.ts';
import type { Deps } from './deps.ts';
import { loadFileContext } from './file-task.ts';
import { TurnInput } from './inputs.ts';
import { judgeWrite, sayWritten } from './judge-write.ts';
import type { AnsweredCall, CallRequest, ModelCalls } from './model-calls.ts';

/** How often a context is shrunk before a person is asked for a model with a larger window. */
const MAX_SHRINKS = 3;

/**
 * One turn of the executor: what it is asked, and its reply. A reply that is one write, and accepted, is carried out
 * here: the journal has it already, so a crash costs nothing, and each file is spared a step. All else is `applyTools`.
 */
export function takeTurn(deps: Deps) {
  return paid(deps, TurnInput, async (input, paying) => {
    const { conversation, answered, spoken } = input.conversation
      ? await goOn(deps, input, paying, await loadConversation(deps, input.conversation))
      : await start(deps, input, paying);
    const judgement = await judgeWrite(deps, input, answered.reply, spoken);
    const accepted = judgement.kind === 'accepted' ? judgement.file : null;
    if (accepted) await sayWritten(deps, input, accepted);
    return { conversation, reply: answered.replyRef, accepted };
  });
}

interface Asked {
  readonly conversation: Ref;
  readonly answered: AnsweredCall;
  readonly spoken: Spoken;
}

/** Asks, and stores what was asked meanwhile. */
async function ask(
  deps: Deps,
  calls: ModelCalls,
  request: CallRequest,
  draft: Draft | null,
): Promise<Asked> {
  const spoken = { messages: request.messages, draft };
  const storing = storeConversation(deps, spoken);
  const answering = calls.reply(request);
  await Promise.allSettled([storing, answering]);
  return { conversation: await storing, answered: await answering, spoken };
}

async function goOn(
  deps: Deps,
  input: TurnInput,
  { calls, settings }: Paying,
  { messages, draft }: Spoken,
): Promise<Asked> {
  const request: CallRequest = {
    label: labelOf(input, 0),
    role: 'executor',
    schemaId: 'write-file/1',
    messages,
    maxOutputTokens: settings.maxOutputTokens,
  };
  return ask(deps, calls, request, draft);
}

/** The first turn, with as much context as the model's window takes. */
async function start(deps: Deps, input: TurnInput, paying: Paying): Promise<Asked> {
  const { calls, settings } = paying;
  for (let shrinks = 0; ; shrinks += 1) {
    const context = await loadFileContext(deps, input, paying, shrinks);
    const { messages, schemaId, maxOutputTokens } = writeFile(context, settings.maxOutputTokens);
    try {
      const label = labelOf(input, shrinks);
      const request = { label, role: 'executor', schemaId, messages, maxOutputTokens } as const;
      return await ask(deps, calls, request, null);
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
