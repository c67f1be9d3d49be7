import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { ChatMessage } from '../domain/message.ts';
import type { Capabilities } from './capabilities.ts';
import type { ModelRequest } from './model.ts';

/** The request in the words of chat completions, with no more than the model takes. */
export function toChatCompletion(
  request: ModelRequest,
  known: Capabilities,
  maxOutputTokens: number,
): ChatCompletionCreateParams {
  return {
    model: request.model,
    messages: toMessages(request, known),
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

function toMessages(request: ModelRequest, known: Capabilities): ChatCompletionMessageParam[] {
  const messages = request.messages.map((message) =>
    known.takesTools ? toMessage(message) : toPlainMessage(message),
  );
  const asksInWords = known.answerFormat === 'json-object' || known.answerFormat === 'prompt';
  if (request.schema === undefined || !asksInWords) return messages;
  const shape = JSON.stringify(request.schema.json);
  const content = `Answer with one JSON object, and nothing else, that fits this JSON Schema:\n${shape}`;
  return [...messages, { role: 'user', content }];
}

function toMessage(message: ChatMessage): ChatCompletionMessageParam {
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'user':
      return { role, content };
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

/** A conversation with tools, told to a model that has none. */
function toPlainMessage(message: ChatMessage): ChatCompletionMessageParam {
  if (message.role === 'tool')
    return { role: 'user', content: `Result of call ${message.toolCallId}:\n${message.content}` };
  if (message.role !== 'assistant') return toMessage(message);
  const calls = message.toolCalls.map((call) => `Call ${call.id}: ${call.name}(${call.arguments})`);
  const content = [message.content, ...calls].filter((part) => part !== '').join('\n');
  return { role: 'assistant', content };
}
