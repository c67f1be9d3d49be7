import { firstSentences } from '../domain/first-sentences.ts';
import { ModelReply, type ChatMessage } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import { arrivedMessage } from '../prompts/continue-write.ts';
import { goOnWith } from '../prompts/read-turn.ts';
import { writeAgain } from '../prompts/write-again.ts';
import { getJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import { carryOut, type ToolTurn } from './carry-out.ts';
import { loadConversation, storeConversation, type Spoken } from './conversation.ts';
import type { Deps } from './deps.ts';
import type { TurnEnd } from './index.ts';
import { ToolsInput } from './inputs.ts';
import { judgeWrite, sayWritten, type Judgement, type TurnPlace } from './judge-write.ts';
import { loadSettings } from './load.ts';
import { say } from './say.ts';

/** Carries out one reply: the write is accepted, or the conversation goes on with the reasons why not. */
export function applyTools(deps: Deps) {
  return unpaid(ToolsInput, async (input): Promise<TurnEnd> => {
    const reply = await getJson(deps.store, ModelReply, input.reply);
    const spoken = await loadConversation(deps, input.conversation);
    const { settings } = await loadSettings(deps, input.settings);
    if (settings.mode === 'deepplan') return applyToolTurn(deps, toolTurn(input), reply, spoken);
    const judgement = await judgeWrite(deps, input, reply, spoken);
    if (judgement.kind === 'accepted') {
      await sayWritten(deps, input, judgement.file);
      return { kind: 'accepted', file: judgement.file };
    }
    const reasons = reasonsOf(judgement);
    await sayNotYet(deps, input, { ...judgement, hasGrown: hasGrown(judgement) }, reasons);
    const next = nextConversation(input.path, judgement, spoken, reply);
    return {
      kind: 'go-on',
      conversation: await storeConversation(deps, next),
      reasons: inShort(reasons),
      lastAttempt: judgement.file,
      // Told only where it is so, as what is not there costs nothing in a history.
      ...(hasGrown(judgement) ? { hasGrown: true } : {}),
    };
  });
}

type NotYet = Exclude<Judgement, { kind: 'accepted' }>;

function hasGrown(judgement: NotYet): boolean {
  return judgement.kind === 'draft' && judgement.problems.length === 0;
}

function reasonsOf(judgement: NotYet): readonly string[] {
  if (judgement.kind === 'refused') return judgement.reasons;
  if (judgement.problems.length > 0) return judgement.problems;
  const lines = judgement.draft.text.trimEnd().split('\n').length;
  return [`cut-off: the answers ended before the file did; ${lines} lines have arrived.`];
}

function nextConversation(
  path: string,
  judgement: NotYet,
  { messages, draft }: Spoken,
  reply: ModelReply,
): Spoken {
  if (judgement.kind === 'draft') {
    const opening = messages.slice(0, judgement.draft.asked);
    const wanted = goOnWith(path, judgement.draft, judgement.problems);
    return { messages: [...opening, ...wanted], draft: judgement.draft };
  }
  // What was put together from several answers is shown as one: the next answer is a whole file again.
  const { joined } = judgement;
  const answer: ChatMessage =
    joined === null
      ? { role: 'assistant', content: reply.text, toolCalls: [] }
      : arrivedMessage(path, joined);
  const opening = draft ? messages.slice(0, draft.asked) : messages;
  return { messages: [...opening, answer, writeAgain(path, judgement.reasons)], draft: null };
}

async function sayNotYet(
  deps: Deps,
  { run, path, round, turn }: TurnPlace,
  { file, hasGrown }: { readonly file: Ref | null; readonly hasGrown: boolean },
  reasons: readonly string[],
): Promise<void> {
  const verb = hasGrown ? 'Goes on with' : 'Refused';
  const text = `${verb} ${path} (turn ${turn}): ${inShort(reasons).join(' ')}`;
  await say(deps, run, {
    kind: 'file-refused',
    round,
    subject: `${path} t${turn}`,
    text,
    ref: file,
  });
}

/** The turn of an executor with tools: all that its reply asks for is done, in order. */
async function applyToolTurn(
  deps: Deps,
  turn: ToolTurn & TurnPlace,
  reply: ModelReply,
  spoken: Spoken,
): Promise<TurnEnd> {
  const end = await carryOut(deps, turn, reply, spoken);
  if (end.kind === 'accepted') {
    await sayWritten(deps, turn, end.file);
    return end;
  }
  const { reasons, file, hasGrown, isRefusal } = end;
  const isEnd = end.kind === 'looping';
  if (isRefusal || isEnd) await sayNotYet(deps, turn, end, reasons);
  return {
    kind: 'go-on',
    conversation: await storeConversation(deps, end.spoken),
    reasons: inShort(reasons),
    lastAttempt: file,
    ...(hasGrown && { hasGrown }),
    ...(isEnd && { isEnd }),
  };
}

function toolTurn(input: ToolsInput): ToolTurn & TurnPlace {
  const { stateRef, blueprint, needed = [], left = 0 } = input;
  if (!stateRef || !blueprint) throw new Error('A turn with tools needs a state and a blueprint.');
  return { ...input, stateRef, blueprint, needed, left };
}

/** Reasons that travel through a workflow's history, 32 files of them in one commit; the conversation holds them whole. */
const MOST_REASONS = 3;
const MOST_CHARACTERS = 200;

function inShort(reasons: readonly string[]): string[] {
  const cut = reasons.map((reason) =>
    reason.length > MOST_CHARACTERS ? `${reason.slice(0, MOST_CHARACTERS - 1)}…` : reason,
  );
  return firstSentences(cut, MOST_REASONS);
}
