import { ContextTooLong, NeedsPerson } from '../domain/errors.ts';
import type { ChatMessage } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import { OFFERED_TOOLS } from '../domain/tool-use.ts';
import { isOneWrite } from '../prompts/turn-actions.ts';
import { forgetResults } from '../prompts/turn-messages.ts';
import { writeFile } from '../prompts/write-file.ts';
import { TOOLS_SCHEMA_ID, writeWithTools } from '../prompts/write-with-tools.ts';
import { paid, type Paying } from './activity.ts';
import { carryOut } from './carry-out.ts';
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
    const accepted = hasTools(paying)
      ? await acceptedWrite(deps, input, answered, spoken)
      : await acceptedReply(deps, input, answered, spoken);
    if (accepted) await sayWritten(deps, input, accepted.file);
    return {
      ...{ conversation, reply: answered.replyRef, accepted: accepted?.file ?? null },
      ...(accepted?.doubts && { doubts: accepted.doubts }),
    };
  });
}

interface Asked {
  readonly conversation: Ref;
  readonly answered: AnsweredCall;
  readonly spoken: Spoken;
}

/** The file of an accepted write, with what its writer was unsure of, where that goes to a planner. */
interface Accepted {
  readonly file: Ref;
  readonly doubts?: Ref;
}

async function acceptedReply(
  deps: Deps,
  input: TurnInput,
  { reply }: AnsweredCall,
  spoken: Spoken,
): Promise<Accepted | null> {
  const judgement = await judgeWrite(deps, input, reply, spoken);
  return judgement.kind === 'accepted' ? judgement : null;
}

async function acceptedWrite(
  deps: Deps,
  input: TurnInput,
  { reply }: AnsweredCall,
  spoken: Spoken,
): Promise<Accepted | null> {
  if (!isOneWrite(reply, input.path)) return null;
  const end = await carryOut(deps, { ...input, left: input.left ?? 0 }, reply, spoken);
  return end.kind === 'accepted' ? end : null;
}

function hasTools({ settings }: Pick<Paying, 'settings'>): boolean {
  return settings.mode === 'deepplan';
}

/** Asks, and stores what was asked meanwhile. */
async function ask(
  deps: Deps,
  calls: ModelCalls,
  request: CallRequest,
  { draft, desk }: Pick<Spoken, 'draft' | 'desk'>,
): Promise<Asked> {
  const spoken = { messages: request.messages, draft, desk };
  const storing = storeConversation(deps, spoken);
  const answering = calls.reply(request);
  await Promise.allSettled([storing, answering]);
  return { conversation: await storing, answered: await answering, spoken };
}

async function goOn(deps: Deps, input: TurnInput, paying: Paying, spoken: Spoken): Promise<Asked> {
  const request = {
    role: 'executor',
    schemaId: hasTools(paying) ? TOOLS_SCHEMA_ID : 'write-file/1',
    maxOutputTokens: paying.settings.maxOutputTokens,
    ...offered(input, paying, spoken.draft !== null),
  } as const;
  return asFits(input, hasTools(paying) ? 2 : 0, async (shrinks) => {
    const label = labelOf(input, shrinks);
    const messages = shrinks === 0 ? spoken.messages : withoutOldResults(spoken.messages, shrinks);
    return ask(deps, paying.calls, { ...request, label, messages }, spoken);
  });
}

function withoutOldResults(messages: readonly ChatMessage[], shrinks: number): ChatMessage[] {
  return forgetResults(messages, 2 - shrinks);
}

/** The first turn, with as much context as the model's window takes. */
async function start(deps: Deps, input: TurnInput, paying: Paying): Promise<Asked> {
  const { calls, settings } = paying;
  return asFits(input, MAX_SHRINKS, async (shrinks) => {
    const context = await loadFileContext(deps, input, paying, shrinks);
    const { messages, schemaId } = hasTools(paying) ? writeWithTools(context) : writeFile(context);
    const label = labelOf(input, shrinks);
    const { maxOutputTokens } = settings;
    const tools = offered(input, paying, false);
    const request = { label, role: 'executor', schemaId, messages, maxOutputTokens } as const;
    return ask(deps, calls, { ...request, ...tools }, { draft: null });
  });
}

/** No tool in the last turn, which is for the write, nor while the rest of a file is on its way. */
function offered(
  { left = 0 }: TurnInput,
  paying: Paying,
  isInDraft: boolean,
): Pick<CallRequest, 'tools'> {
  return hasTools(paying) && left > 0 && !isInDraft ? { tools: OFFERED_TOOLS } : {};
}

/** Asks again with less, up to `most` times, where a request is too long for the model's window. */
async function asFits(
  { path }: TurnInput,
  most: number,
  attempt: (shrinks: number) => Promise<Asked>,
): Promise<Asked> {
  for (let shrinks = 0; ; shrinks += 1) {
    try {
      return await attempt(shrinks);
    } catch (error) {
      if (!(error instanceof ContextTooLong) || most === 0) throw error;
      if (shrinks === most) throw tooLong(path, error);
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
