import { EMPTY_DESK, type Desk } from '../domain/desk.ts';
import type { Draft } from '../domain/draft.ts';
import type { ChatMessage, ModelReply } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import { statedDoubts, statesDoubts } from '../domain/stated-doubts.ts';
import { arrivedMessage } from '../prompts/continue-write.ts';
import { goOnWith, readTurn } from '../prompts/read-turn.ts';
import { readActions, type Action } from '../prompts/turn-actions.ts';
import {
  closingWords,
  replyMessage,
  resultMessages,
  withOwnIds,
} from '../prompts/turn-messages.ts';
import type { Spoken } from './conversation.ts';
import type { Deps } from './deps.ts';
import { toldAtFirst, type Remark } from './judge-desk.ts';
import { loadSeen, type SeenPlace } from './seen.ts';
import { useTools, type ToolsUsed } from './use-tools.ts';

/** One turn of an executor with tools. */
export interface ToolTurn extends SeenPlace {
  /** Turns that the file may take after this one. */
  readonly left: number;
}

/** What a reply led to; `file` is the file as it stands, where there is anything. */
export type CarriedOut =
  | {
      readonly kind: 'accepted';
      readonly file: Ref;
      /** What its writer was unsure of, stored; absent where it was of nothing. */
      readonly doubts?: Ref;
    }
  | {
      readonly kind: 'go-on' | 'looping';
      readonly spoken: Spoken;
      readonly reasons: readonly string[];
      readonly file: Ref | null;
      readonly hasGrown: boolean;
      /** Whether something stands against what the reply wrote, or it did nothing at all: a look-up alone refuses nothing. */
      readonly isRefusal: boolean;
    };

/** Of one reply, this many actions are done, and this many calls answered: some models call for ever. */
const MOST_ACTIONS = 32;
const MOST_CALLS = 64;
/** Characters of what a writer was unsure of: the next subplan reads it. */
const MOST_OF_DOUBTS = 1_200;

/** Carries out one reply of an executor with tools. Against the store alone: twice is the same as once. */
export async function carryOut(
  deps: Deps,
  turn: ToolTurn,
  reply: ModelReply,
  spoken: Spoken,
): Promise<CarriedOut> {
  const seen = await loadSeen(deps, turn);
  const start = spoken.desk ?? { ...EMPTY_DESK, told: toldAtFirst(seen) };
  const read = readReply(turn, reply, spoken);
  const counted = turn.left === 0 ? read.actions.filter(isWrite) : read.actions.map(withinBound);
  const used = await useTools(deps, seen, start, counted);
  const told = new Set(start.told);
  const remarks = (used.judgement?.remarks ?? []).filter(({ key }) => !told.has(key));
  const doubts = statesDoubts(reply.text) ? statedDoubts(reply.text) : start.doubts;
  const desk = { ...used.desk, doubts, told: [...told, ...remarks.map(({ key }) => key)] };
  if (desk.file && isDone(turn, read, { ...used, desk }, remarks)) {
    const said = doubts.slice(0, MOST_OF_DOUBTS).trim();
    const stored = said === '' ? undefined : await deps.store.put(said);
    return { kind: 'accepted', file: desk.file, ...(stored && { doubts: stored }) };
  }
  const reasons = reasonsOf(desk, used, read, remarks);
  const closing = closingWords(turn.path, desk, {
    remarks: remarks.map(({ text }) => text),
    isNews: used.judgement !== null && !used.isTold,
    left: turn.left,
  });
  return {
    kind: used.repeated === null ? 'go-on' : 'looping',
    spoken: nextSpoken(turn.path, { spoken, read, used, desk, closing }),
    reasons,
    file: desk.file,
    hasGrown: read.draft !== null && read.draftProblems.length === 0,
    isRefusal:
      reasons.length > 0 && (counted.some(isWrite) || read.draft !== null || counted.length === 0),
  };
}

/** A reply as it is read: its actions, and the file of which a part has arrived. */
interface ReadReply {
  /** The reply as it is shown again. */
  readonly shown: ChatMessage;
  readonly actions: readonly Action[];
  /** Whether it asks for nothing: its sender means to be done. */
  readonly isEmpty: boolean;
  readonly draft: Draft | null;
  /** Why it brought nothing more of the draft. */
  readonly draftProblems: readonly string[];
  /** Messages that stay before it. */
  readonly before: readonly ChatMessage[];
}

function readReply({ path }: ToolTurn, reply: ModelReply, { messages, draft }: Spoken): ReadReply {
  const plain = { draft: null, draftProblems: [], before: messages, isEmpty: false };
  if (draft) return readRest(path, reply, { messages, draft });
  const toolCalls = withOwnIds(reply.toolCalls.slice(0, MOST_CALLS));
  const shown = replyMessage(reply.text, toolCalls);
  if (reply.finish === 'refused')
    return { ...plain, shown, actions: [nothing('The reply was a refusal.')] };
  const { actions, arrived, before } = readActions({ ...reply, toolCalls }, path);
  if (arrived) {
    // What was asked for before the file is shown; the file's beginning goes on in messages of its own.
    return { ...plain, shown: replyMessage(before.trimEnd(), []), actions, draft: arrived };
  }
  if (actions.length > 0) return { ...plain, shown, actions };
  const why =
    reply.finish === 'length'
      ? `cut-off: the reply ended after ${reply.usage.outputTokens} tokens, before it asked for anything.`
      : 'The reply asks for nothing: it holds no @write, no @edit, and no call.';
  return { ...plain, shown, actions: [nothing(why)], isEmpty: reply.finish !== 'length' };
}

/** The rest of a file whose beginning has arrived. Tools are not offered meanwhile. */
function readRest(
  path: string,
  reply: ModelReply,
  { messages, draft }: { readonly messages: readonly ChatMessage[]; readonly draft: Draft },
): ReadReply {
  const reading = readTurn({ reply, path, draft, asked: draft.asked });
  const before = messages.slice(0, draft.asked);
  const plain = { before, isEmpty: false, draft: null, draftProblems: [] };
  switch (reading.kind) {
    case 'draft':
      return {
        ...{ before, isEmpty: false, actions: [], shown: replyMessage('', []) },
        ...{ draft: { ...reading.draft, asked: draft.asked }, draftProblems: reading.problems },
      };
    case 'problems':
      return {
        ...plain,
        shown: replyMessage(reply.text, []),
        actions: [nothing(reading.problems.join(' '))],
      };
    case 'file': {
      const { content, shrinks } = reading;
      const use = { name: 'write_file' as const, path, content, ...(shrinks && { shrinks }) };
      const named = { callId: null, said: `@write ${path}`, whole: content };
      return {
        ...plain,
        shown: arrivedMessage(path, content),
        actions: [{ ...named, asked: { kind: 'use', use } }],
      };
    }
  }
}

function nothing(problem: string): Action {
  const asked = { kind: 'problems' as const, problems: [problem] };
  return { callId: null, said: 'your reply', whole: problem, asked };
}

function withinBound(action: Action, index: number): Action {
  if (index < MOST_ACTIONS) return action;
  const problem = `One reply may ask for ${MOST_ACTIONS} things; ask for it in the next.`;
  return { ...action, asked: { kind: 'problems', problems: [problem] } };
}

/** Whether an action writes, would have written, or stands for a reply that should have. */
function isWrite({ said }: Pick<Action, 'said'>): boolean {
  return /^(?:@write|@edit|write_file|edit_file|your reply)\b/.test(said);
}

/** Whether the file as it stands is taken: its writer is done with it, or has no more turns, and nothing stands against it. */
function isDone(
  { left }: ToolTurn,
  { isEmpty, draft }: ReadReply,
  { desk, endsWithWrite, repeated }: ToolsUsed,
  remarks: readonly Remark[],
): boolean {
  if (desk.reasons.length > 0 || draft) return false;
  if (left === 0 || repeated !== null || isEmpty) return true;
  return endsWithWrite && remarks.length === 0;
}

function nextSpoken(
  path: string,
  turn: {
    readonly spoken: Spoken;
    readonly read: ReadReply;
    readonly used: ToolsUsed;
    readonly desk: Desk;
    readonly closing: string;
  },
): Spoken {
  const { read, used, desk, closing } = turn;
  const { before, shown, draft } = read;
  if (!draft) {
    const messages = [...before, shown, ...resultMessages(used.results, closing)];
    return { messages, draft: null, desk };
  }
  const answered = used.results.length > 0 ? [shown, ...resultMessages(used.results, closing)] : [];
  const opening = [...before, ...answered];
  const next = { ...draft, asked: opening.length };
  return {
    messages: [...opening, ...goOnWith(path, next, read.draftProblems)],
    draft: next,
    desk,
  };
}

function reasonsOf(
  desk: Desk,
  used: ToolsUsed,
  read: ReadReply,
  remarks: readonly Remark[],
): readonly string[] {
  const { draft, draftProblems } = read;
  if (used.repeated !== null)
    return [
      `looping: ${used.repeated} was asked for again and again, with the same result.`,
      ...desk.reasons,
    ];
  if (draftProblems.length > 0) return draftProblems;
  if (draft) {
    const lines = draft.text.trimEnd().split('\n').length;
    return [`cut-off: the answers ended before the file did; ${lines} lines have arrived.`];
  }
  if (desk.reasons.length > 0) return desk.reasons;
  const failed = used.results.filter(({ action }) => isWrite(action));
  if (desk.file === null && failed.length > 0) return failed.map(({ result }) => result);
  return desk.file ? remarks.map(({ text }) => text) : ['Nothing of it was written.'];
}
