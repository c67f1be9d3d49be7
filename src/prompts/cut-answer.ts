import { answerLines, blockBelow, closesFence, opensSection } from './answer-block.ts';

/**
 * What arrived of the file in an answer that was cut: whole lines only, so without the last one. Undefined where the
 * block never began or is another file's, or where a fence inside the file may have closed it: then nothing says how
 * much of it is the file.
 */
export function arrivedText(reply: string, path: string): string | undefined {
  const lines = answerLines(reply).slice(0, -1);
  const start = lines.findIndex((line) => line.startsWith('@write'));
  const block = start === -1 ? undefined : blockBelow(lines, start, '@write');
  if (block?.name !== path) return undefined;
  if (block.end !== null && !isEnding(lines.slice(block.end), block.fence)) return undefined;
  const text = block.content.join('\n').trimEnd();
  return text === '' ? undefined : `${text}\n`;
}

/** Whether nothing but the form's own sections stands behind a block. */
function isEnding(lines: readonly string[], fence: number): boolean {
  const first = lines.find((line) => line.trim() !== '');
  const isClean = !lines.some((line) => line.startsWith('@write') || closesFence(line, fence));
  return isClean && (first === undefined || opensSection(first));
}
