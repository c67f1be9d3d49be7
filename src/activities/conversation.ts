import { z } from 'zod';
import { Desk } from '../domain/desk.ts';
import { Draft } from '../domain/draft.ts';
import { ChatMessage } from '../domain/message.ts';
import { Ref } from '../domain/ref.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

const Conversation = z.strictObject({
  schemaVersion: z.literal(1),
  messages: z.array(Ref),
  /** The `Draft` that the last message asks to go on with; absent where it asks for a whole file. */
  draft: Ref.optional(),
  /** Of an executor with tools; absent where there is none, and before its first reply. */
  desk: Desk.optional(),
});

/** What was said so far, and the file of which a part has arrived. */
export interface Spoken {
  readonly messages: readonly ChatMessage[];
  readonly draft: Draft | null;
  readonly desk?: Desk | undefined;
}

/** The messages of a conversation, in order, with its draft. */
export async function loadConversation({ store }: Deps, ref: Ref): Promise<Spoken> {
  const { messages, draft, desk } = await getJson(store, Conversation, ref);
  const loaded = messages.map((message) => getJson(store, ChatMessage, message));
  return {
    messages: await Promise.all(loaded),
    draft: draft ? await getJson(store, Draft, draft) : null,
    ...(desk && { desk }),
  };
}

/** Stores messages one by one, so that what many conversations share is kept once. */
export async function storeConversation(
  { store }: Deps,
  { messages, draft, desk }: Spoken,
): Promise<Ref> {
  const refs = await Promise.all(messages.map((message) => putJson(store, message)));
  const last = draft ? { draft: await putJson(store, draft) } : {};
  return putJson(store, { schemaVersion: 1, messages: refs, ...last, ...(desk && { desk }) });
}
