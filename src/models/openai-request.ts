import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ChatMessage, ImageRef } from '../domain/message.ts';
import type { Capabilities } from './capabilities.ts';
import type { ModelRequest } from './model.ts';

/** Pictures as data URLs, by their SHA-256. */
type LoadedImages = ReadonlyMap<string, string>;

/** The request in the words of chat completions, with no more than the model takes. */
export function toChatCompletion(
  request: ModelRequest,
  known: Capabilities,
  maxOutputTokens: number,
  images: LoadedImages = new Map(),
): ChatCompletionCreateParams {
  return {
    model: request.model,
    messages: toMessages(request, known, images),
    [known.outputLimit]: maxOutputTokens,
    ...(known.streams && { stream: true }),
    ...(known.streams && known.takesStreamOptions && { stream_options: { include_usage: true } }),
    ...toResponseFormat(request, known),
    ...toTools(request, known),
  };
}

function toResponseFormat(
  { schema }: ModelRequest,
  { answerFormat }: Capabilities,
): Pick<ChatCompletionCreateParams, 'response_format'> {
  if (schema === undefined || answerFormat === 'prompt') return {};
  if (answerFormat === 'json-object') return { response_format: { type: 'json_object' } };
  const strict = answerFormat === 'strict-schema';
  const json_schema = { name: schema.name, schema: { ...schema.json }, strict };
  return { response_format: { type: 'json_schema', json_schema } };
}

function toTools(
  { tools = [] }: ModelRequest,
  { takesTools }: Capabilities,
): Pick<ChatCompletionCreateParams, 'tools'> {
  // An empty list is refused by some servers.
  if (!takesTools || tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function' as const,
      function: { name, description, parameters: { ...parameters } },
    })),
  };
}

function toMessages(
  request: ModelRequest,
  known: Capabilities,
  images: LoadedImages,
): ChatCompletionMessageParam[] {
  // Some servers refuse calls in a conversation for which no tools are offered.
  const hasTools = known.takesTools && (request.tools ?? []).length > 0;
  const messages = request.messages.map((message) =>
    hasTools ? toMessage(message, images) : toPlainMessage(message, images),
  );
  const asksInWords = known.answerFormat === 'json-object' || known.answerFormat === 'prompt';
  if (request.schema === undefined || !asksInWords) return messages;
  const shape = JSON.stringify(request.schema.json);
  const content = `Answer with one JSON object, and nothing else, that fits this JSON Schema:\n${shape}`;
  return [...messages, { role: 'user', content }];
}

function toMessage(message: ChatMessage, images: LoadedImages): ChatCompletionMessageParam {
  const { role, content } = message;
  switch (role) {
    case 'system':
      return { role, content };
    case 'user':
      return { role, content: toContent(content, message.images ?? [], images) };
    case 'tool':
      return { role, content, tool_call_id: message.toolCallId };
    case 'assistant':
      // Empty text, not null: some servers fail on null.
      if (message.toolCalls.length === 0) return { role, content };
      return {
        role,
        content,
        tool_calls: message.toolCalls.map((call) => ({
          id: call.id,
          type: 'function' as const,
          function: { name: call.name, arguments: call.arguments },
        })),
      };
  }
}

/** Words alone stay a string: older servers know nothing else. */
function toContent(
  text: string,
  shown: readonly ImageRef[],
  images: LoadedImages,
): string | ChatCompletionContentPart[] {
  if (shown.length === 0) return text;
  const parts = shown.map(({ ref }) => ({
    type: 'image_url' as const,
    image_url: { url: images.get(ref.sha256) ?? '' },
  }));
  return [{ type: 'text', text }, ...parts];
}

/** Loads the pictures of a request, each once, as data URLs. */
export async function loadImages({ messages, loadImage }: ModelRequest): Promise<LoadedImages> {
  const shown = messages.flatMap((message) =>
    message.role === 'user' ? (message.images ?? []) : [],
  );
  const images = new Map<string, string>();
  for (const image of shown) {
    if (loadImage === undefined) throw new Error('A message shows pictures that nothing can load.');
    if (images.has(image.ref.sha256)) continue;
    const bytes = await loadImage(image);
    const base64 = Buffer.from(bytes).toString('base64');
    images.set(image.ref.sha256, `data:${image.mediaType};base64,${base64}`);
  }
  return images;
}

/** A conversation with tools, told to a model that has none, or is offered none any more. */
function toPlainMessage(message: ChatMessage, images: LoadedImages): ChatCompletionMessageParam {
  if (message.role === 'tool')
    return { role: 'user', content: `Result of call ${message.toolCallId}:\n${message.content}` };
  if (message.role !== 'assistant') return toMessage(message, images);
  const calls = message.toolCalls.map((call) => `Call ${call.id}: ${call.name}(${call.arguments})`);
  const content = [message.content, ...calls].filter((part) => part !== '').join('\n');
  return { role: 'assistant', content };
}
