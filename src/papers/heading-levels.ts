import type { Block } from './blocks.ts';

const NUMBER = /^((?:\d{1,2}|[A-Z])(?:[.．]\d{1,2})*)[.．:)]?\s*(?=\D)/;

/** How many parts the number before a heading has: 2 for "3.1 Method", 0 without a number. */
export function numberDepth(heading: string): number {
  const number = NUMBER.exec(heading)?.[1];
  return number === undefined ? 0 : number.split(/[.．]/).length;
}

/**
 * Corrects levels by the numbers in the headings: converters of PDF often give "2.1" the same level as "2". Only
 * numbers with a dot are believed, since "1" may also count steps.
 */
export function levelByNumber(blocks: readonly Block[]): Block[] {
  const top = topLevel(blocks);
  return blocks.map((block) => {
    if (block.kind !== 'heading' || block.front || top === undefined) return block;
    const depth = numberDepth(block.text);
    return depth < 2 ? block : { ...block, level: top + depth - 1 };
  });
}

/** The level of the headings that have a number without a dot, such as "2" or "A". */
function topLevel(blocks: readonly Block[]): number | undefined {
  let top: number | undefined;
  for (const block of blocks) {
    if (block.kind !== 'heading' || block.front || !/^\d{1,2}[.．:)]?\s/.test(`${block.text} `))
      continue;
    if (numberDepth(block.text) === 1) top = Math.min(top ?? block.level, block.level);
  }
  return top;
}
