import type { ChatMessage, ImageRef, ModelReply } from '../domain/message.ts';

/** A tool that a model may call; `parameters` is a JSON Schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Where a model is asked: any OpenAI-compatible base URL, and the name of the environment variable with its key. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly keyEnv: string;
}

/** One request, in logical terms; clients map it to what their provider takes. */
export interface ModelRequest {
  /** The call's place in the run, such as `r3/write/src/model.py/t2/try1`: unique in a run, and what recorded replies are found by. */
  readonly label: string;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens: number;
  /** The shape of the answer, as JSON Schema under a short name, when the answer is JSON. */
  readonly schema?: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
  readonly tools?: readonly ToolSpec[];
  /** Loads the bytes of pictures in messages; needed where there are any. */
  readonly loadImage?: (image: ImageRef) => Promise<Uint8Array>;
}

/** What a call shows while it streams. */
export interface ReplyProgress {
  /** Characters of text, reasoning and arguments received so far. */
  readonly characters: number;
}

/**
 * A model that can be asked. `reply` makes one attempt and retries nothing.
 * Throws `RetryLater`, `NeedsPerson` or `ContextTooLong`; when `signal` aborts, it rejects with `signal.reason`.
 */
export interface Model {
  reply(
    request: ModelRequest,
    signal: AbortSignal,
    onProgress?: (progress: ReplyProgress) => void,
  ): Promise<ModelReply>;
}
