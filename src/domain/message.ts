import { z } from 'zod';
import { Ref } from './ref.ts';

/** The work a model does; each may be done by another model. */
export const Role = z.enum(['analysis', 'planner', 'executor', 'memory', 'judge', 'vision']);
export type Role = z.infer<typeof Role>;

/** One call of a tool in a reply; `arguments` is the model's text, not yet parsed. */
export const ToolCall = z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() });
export type ToolCall = Readonly<z.infer<typeof ToolCall>>;

/** A picture that a message shows; its bytes are in the store, so that messages stay small. Sides in pixels. */
export const ImageRef = z.strictObject({
  ref: Ref,
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  width: z.int().min(1),
  height: z.int().min(1),
});
export type ImageRef = Readonly<z.infer<typeof ImageRef>>;

/** One message of a conversation, in the neutral form that every provider's client maps from. */
export const ChatMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.string(),
    /** Shown behind the words. */
    images: z.array(ImageRef).exactOptional(),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string(),
    toolCalls: z.array(ToolCall),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.string(), toolCallId: z.string() }),
]);
export type ChatMessage = Readonly<z.infer<typeof ChatMessage>>;

/** Tokens of one call. `estimated` is true where the provider did not say and we counted ourselves. */
export const Usage = z.strictObject({
  inputTokens: z.int().min(0),
  /** Part of `inputTokens` that the provider took from its prompt cache. */
  cachedTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  estimated: z.boolean(),
});
export type Usage = Readonly<z.infer<typeof Usage>>;

/** Pixels that the models with the finest sight make a token of. Some small models count ten times as many. */
const PIXELS_PER_TOKEN = 750;
const TOKENS_PER_IMAGE = 100;

/** About how many input tokens the pictures of messages cost. */
export function estimateImageTokens(messages: readonly ChatMessage[]): number {
  const images = messages.flatMap((message) =>
    message.role === 'user' ? (message.images ?? []) : [],
  );
  return images.reduce(
    (sum, { width, height }) =>
      sum + TOKENS_PER_IMAGE + Math.ceil((width * height) / PIXELS_PER_TOKEN),
    0,
  );
}

/** A model's whole answer. `length` means that it was cut: never a success. */
export const ModelReply = z.strictObject({
  schemaVersion: z.literal(1),
  text: z.string(),
  toolCalls: z.array(ToolCall),
  finish: z.enum(['stop', 'length', 'tool-calls', 'refused']),
  usage: Usage,
  /** What the provider wants to see again with the next message (reasoning state); opaque. */
  providerState: z.string().nullable(),
});
export type ModelReply = Readonly<z.infer<typeof ModelReply>>;
