import {
  answerLines,
  blockBelow,
  closesFence,
  sectionOf,
  type AnswerBlock,
} from './answer-block.ts';
import type { Reading } from './prompt.ts';

/** One written file as the executor sent it. */
export interface WriteAnswer {
  /** The whole file, lines ended by `\n`, one at its end. */
  readonly content: string;
  /** Owned requirements → function, in the model's words; it is a claim, not a proof. */
  readonly met: string;
  readonly doubts: string;
  /** Why the file is much shorter than the one that it replaces; empty where nothing was said. */
  readonly shrinks: string;
}

/** A comment that stands for code which the model left out. */
const ELISION =
  /^\s*(?:#|\/\/|--)\s*[([]?(?:\.\.\.|…)?\s*(?:the )?(?:rest|remainder|remaining|existing|previous)\b.{0,60}\b(?:unchanged|as before|same as|omitted|stays|remains|here)\b/i;

/**
 * Reads the answer that holds one file: `@write path`, a fenced block, `@met`, `@doubts`, `@done`. The block ends at a
 * line with at least as many backticks as it began with and nothing else. Anything doubtful is a problem, because
 * what passes here becomes the file. Linear in the reply; never throws.
 */
export function readWrite(reply: string, path: string): Reading<WriteAnswer> {
  const lines = answerLines(reply);
  const start = lines.findIndex((line) => line.startsWith('@write'));
  if (start === -1)
    return problem(
      `The answer has no line "@write ${path}" followed by the file in a fenced block.`,
    );
  const block = blockBelow(lines, start, '@write');
  if (!block)
    return problem(
      `The line below "@write ${path}" must be a fence of four backticks that opens the file.`,
    );
  if (block.end === null)
    return problem(
      `The block of ${path} is never closed by a line of ${block.fence} backticks: the answer was cut off. Send the file whole, shorter if it was too long.`,
    );
  return readRest(block, lines.slice(block.end), path);
}

function readRest(
  block: AnswerBlock,
  after: readonly string[],
  path: string,
): Reading<WriteAnswer> {
  const done = after.findIndex((line) => line.trim() === '@done');
  const problems = [
    ...blockProblems(block, path),
    ...(done === -1 ? ['The answer does not end with the line @done, so it may be cut off.'] : []),
    ...restProblems(done === -1 ? after : after.slice(0, done), block.fence),
  ];
  if (problems.length > 0) return { kind: 'problems', problems };
  const sections = after.slice(0, done);
  return {
    kind: 'answer',
    answer: {
      content: `${block.content.join('\n').trimEnd()}\n`,
      met: sectionOf(sections, '@met'),
      doubts: sectionOf(sections, '@doubts'),
      shrinks: sectionOf(sections, '@shrinks'),
    },
  };
}

function blockProblems({ name, content }: AnswerBlock, wanted: string): string[] {
  const others =
    name === wanted ? [] : [`The answer writes "${name}"; only ${wanted} is yours to write.`];
  return [...others, ...contentProblems(content, wanted)];
}

/** What in the lines of a file shows that they are not the whole file. */
export function contentProblems(content: readonly string[], wanted: string): string[] {
  const problems: string[] = [];
  const text = content.filter((line) => line.trim() !== '');
  if (text.length === 0 && !/(^|\/)(__init__\.py|py\.typed|\.gitkeep)$/.test(wanted))
    problems.push(`The block of ${wanted} is empty.`);
  if (wanted.endsWith('.py') && text.length > 0 && !text.some(looksLikePython))
    problems.push(`The block of ${wanted} holds prose where Python is expected.`);
  const elided = content.find((line) => ELISION.test(line));
  if (elided !== undefined && !wanted.endsWith('.md'))
    problems.push(
      `"${elided.trim().slice(0, 100)}" stands for code that was left out. Write all of it.`,
    );
  return problems;
}

function looksLikePython(line: string): boolean {
  return /^\s*(?:#|@|"""|'''|[rbf]?["']|(?:import|from|def|class|async|if|for|while|with|try|return|raise|pass|assert|del|global)\b)|[\w\])]\s*(?:[-+*/|&]?=|\()/.test(
    line,
  );
}

/** What may stand between the block and `@done`. A further fence of its size means that the block ended too early. */
function restProblems(rest: readonly string[], fence: number): string[] {
  if (rest.some((line) => line.startsWith('@write')))
    return ['The answer writes more than one block. Send exactly one, the whole file.'];
  if (rest.some((line) => closesFence(line, fence)))
    return [
      `A line of ${fence} backticks inside the file closed its block too early, or there is more than one block. Open and close the block with more backticks than any line inside it has.`,
    ];
  return [];
}

function problem(sentence: string): Reading<never> {
  return { kind: 'problems', problems: [sentence] };
}
