import type { ChatMessage } from '../domain/message.ts';

/** A reply read by its prompt: the answer, or what is wrong with it, to be quoted to the model once. */
export type Reading<Answer> =
  | {
      readonly kind: 'answer';
      readonly answer: Answer;
      /** What was wrong with the parts that were left out of it; absent where it is whole. */
      readonly dropped?: readonly string[];
    }
  | {
      readonly kind: 'problems';
      readonly problems: readonly string[];
      /** What can be used nevertheless, when asking again has not helped; absent where nothing can. */
      readonly rest?: Answer;
    };

/** One model call: what is asked, and how its reply is read, side by side so that they cannot drift apart. */
export interface Prompt<Answer> {
  /** Names prompt and answer format for the journal's key, such as `draft-files/1`; the number changes with the format. */
  readonly schemaId: string;
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens: number;
  readonly read: (reply: string) => Reading<Answer>;
}
