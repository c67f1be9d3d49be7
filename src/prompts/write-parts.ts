import type { ChatMessage } from '../domain/message.ts';
import { appendPart, definedNames } from '../domain/top-level.ts';
import { answerLines, blockBelow, closesFence, sectionOf } from './answer-block.ts';
import { arrivedMessage } from './continue-write.ts';

/** Where a file stands that comes in parts. */
export interface PartsSoFar {
  readonly text: string;
  /** The definitions still to come; null while the model has not named them. */
  readonly rest: readonly string[] | null;
}

/** Asks for the next part of a file that is too long for one answer, and first for the list of what is to come. */
export function writePart(
  path: string,
  { text, rest }: PartsSoFar,
  problems: readonly string[],
): ChatMessage[] {
  const failed =
    problems.length === 0
      ? ''
      : `Your last answer could not be used and is dropped:\n${problems.map((each) => `- ${each}`).join('\n')}\n\n`;
  const arrived = definedNames(text).join(', ');
  const still =
    rest === null
      ? 'First name what is still to come, all of it, in the order of the file, one top-level class or function a line (and the statements at the end as "the end"), then send the first of them.'
      : `Still to come, in this order: ${rest.join('; ')}. Send the first of them.`;
  const list = rest === null ? `@rest ${path}\n- class Name\n- def name\n` : '';
  return [
    arrivedMessage(path, text),
    {
      role: 'user',
      content: `${failed}${path} is too long for one answer, so send the rest in parts, split by class and function. What is shown has arrived and is kept: ${arrived}; whatever stood behind it is dropped. ${still} Small ones may share a part; a part must be well shorter than your longest answer. Leave nothing out and repeat nothing. Imports that only a part needs stand at its head. The form:

${list}@part the names in it
\`\`\`\`python
the whole of each
\`\`\`\`
@done

Behind the block of the last part, and only there, stand @met and @doubts before @done.`,
    },
  ];
}

/** What a part brought. */
export type PartReading =
  | { readonly kind: 'whole'; readonly text: string; readonly shrinks: string }
  | { readonly kind: 'more'; readonly text: string; readonly rest: readonly string[] }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** Joins a part to what had arrived. Never takes a part without its end. */
export function readPart(reply: string, { text, rest }: PartsSoFar): PartReading {
  const lines = answerLines(reply);
  const start = lines.findIndex((line) => line.startsWith('@part'));
  const block = start === -1 ? undefined : blockBelow(lines, start, '@part');
  if (!block) return problem('It has no line "@part" followed by a block fenced by backticks.');
  const after = block.end === null ? [] : lines.slice(block.end);
  if (block.end === null || !after.some((line) => line.trim() === '@done'))
    return problem('cut-off: the part was cut off, too; send a shorter one.');
  if (after.some((line) => closesFence(line, block.fence) || line.startsWith('@part')))
    return problem('It holds more than one block: send one part in one block.');
  const planned = rest ?? listedRest(lines.slice(0, start));
  if (planned.length === 0) return problem('It does not name what is still to come under @rest.');
  const part = block.content.join('\n');
  const left = withoutDelivered(planned, block.name, part);
  if (left.length === planned.length || left[0] === planned[0])
    return problem(`It does not hold ${planned[0] ?? ''}, which comes next.`);
  const joined = appendPart(text, part);
  return left.length === 0
    ? { kind: 'whole', text: joined, shrinks: sectionOf(after, '@shrinks') }
    : { kind: 'more', text: joined, rest: left };
}

function listedRest(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line.startsWith('@rest'));
  if (start === -1) return [];
  return lines.slice(start + 1).flatMap((line) => /^[-*]\s+(.+?)\s*$/.exec(line)?.[1] ?? []);
}

/** Items that a part does not hold. One that names no definition counts as held where the part's own name says so. */
function withoutDelivered(items: readonly string[], named: string, part: string): string[] {
  const defined = new Set(definedNames(part));
  return items.filter((item) => {
    const name = /(?:def|class)\s+(\w+)/.exec(item)?.[1];
    return name === undefined ? !named.includes(item) : !defined.has(name);
  });
}

function problem(sentence: string): PartReading {
  return { kind: 'problems', problems: [sentence] };
}
