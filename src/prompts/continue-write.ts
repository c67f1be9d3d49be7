import { joinAtOverlap, overlapOf } from '../domain/join-text.ts';
import type { ChatMessage } from '../domain/message.ts';
import { answerLines, blockBelow, closesFence, sectionOf } from './answer-block.ts';
import { fenced } from './fenced.ts';

/** Asks for the rest of a file of which `text` has arrived; `problems` say what was wrong with the last continuation. */
export function continueWrite(
  path: string,
  text: string,
  problems: readonly string[],
): ChatMessage[] {
  const lines = overlapOf(text);
  const failed =
    problems.length === 0
      ? ''
      : `Your last continuation could not be used and is dropped:\n${problems.map((each) => `- ${each}`).join('\n')}\n\n`;
  return [
    arrivedMessage(path, text),
    {
      role: 'user',
      content: `${failed}Your answer was cut off. What is shown of ${path} has arrived and is kept; go on from its end. Begin the block with the last ${lines.length} lines that arrived, copied exactly, as the two are joined where they agree:

${fenced(lines.join('\n'))}

Then write on to the end of the file, leaving nothing out and repeating nothing else. If those lines are the file's end, close the block after them. The form:

@continue ${path}
\`\`\`\`
those ${lines.length} lines
the rest of the file
\`\`\`\`
@met
@doubts
@done`,
    },
  ];
}

/** What has arrived of a file, as the model's own words, without an end. */
export function arrivedMessage(path: string, text: string): ChatMessage {
  const block = fenced(text);
  const content = `@write ${path}\n${block.slice(0, block.lastIndexOf('\n'))}`;
  return { role: 'assistant', content, toolCalls: [] };
}

/** What a continuation brought: `text` is the file as far as it is now known, and the rest is for its end alone. */
export type Continued =
  | { readonly kind: 'whole'; readonly text: string; readonly shrinks: string }
  | { readonly kind: 'more'; readonly text: string }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** Joins a continuation to what had arrived. With `isCut`, the answer ended too early, whatever it looks like. */
export function readContinuation(
  reply: string,
  path: string,
  { text, isCut }: { readonly text: string; readonly isCut: boolean },
): Continued {
  const all = answerLines(reply);
  const start = all.findIndex((line) => line.startsWith('@continue'));
  const block = start === -1 ? undefined : blockBelow(all, start, '@continue');
  if (block?.name !== path)
    return problem(`It has no line "@continue ${path}" followed by a block fenced by backticks.`);
  const after = block.end === null ? [] : all.slice(block.end);
  if (after.some((line) => closesFence(line, block.fence)))
    return problem('A line of backticks inside the file closed the block too early: use more.');
  const isWhole = !isCut && block.end !== null && after.some((line) => line.trim() === '@done');
  // Without its end, the last line may be half a line.
  const content = block.end === null ? block.content.slice(0, -1) : block.content;
  const joined = joinAtOverlap(text, content);
  if (joined === undefined)
    return problem('It does not begin with the last lines that arrived, copied exactly.');
  return isWhole
    ? { kind: 'whole', text: joined, shrinks: sectionOf(after, '@shrinks') }
    : { kind: 'more', text: joined };
}

function problem(sentence: string): Continued {
  return { kind: 'problems', problems: [sentence] };
}
