import { z } from 'zod';
import { ChatMessage } from '../domain/message.ts';
import { Ref } from '../domain/ref.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

const Conversation = z.strictObject({ schemaVersion: z.literal(1), messages: z.array(Ref) });

/** The messages of a conversation, in order. */
export async function loadConversation({ store }: Deps, ref: Ref): Promise<ChatMessage[]> {
  const { messages } = await getJson(store, Conversation, ref);
  return Promise.all(messages.map((message) => getJson(store, ChatMessage, message)));
}

/** Stores messages one by one, so that what many conversations share is kept once. */
export async function storeConversation(
  { store }: Deps,
  messages: readonly ChatMessage[],
): Promise<Ref> {
  const refs = await Promise.all(messages.map((message) => putJson(store, message)));
  return putJson(store, { schemaVersion: 1, messages: refs });
}
