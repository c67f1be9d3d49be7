import { referenceTo } from './blocks.ts';
import type { Block } from './blocks.ts';

/** A Markdown text while its lines are cut into blocks. */
export type Scan = {
  lines: readonly string[];
  at: number;
  blocks: Block[];
  paragraph: string[];
  title: string;
  names: Map<string, string>;
  notices: Set<string>;
  /** Openings of environments that were seen to have no end: not searched for again. */
  unclosed: Set<string>;
};

/** Ends the paragraph that is under way. */
export function endParagraph(scan: Scan): void {
  const text = scan.paragraph.join('\n').trimEnd();
  scan.paragraph = [];
  if (text.trim() !== '')
    scan.blocks.push({ kind: 'text', text: withReferences(text), indent: '' });
}

/** The text with marks for the ids that its `\\ref`s will name. */
export function withReferences(text: string): string {
  return text.replace(
    /\\(eq|auto|c|C)?ref\{([^{}\n]{1,200})\}/g,
    (_, kind: string | undefined, label: string) =>
      kind === 'eq' ? `(${referenceTo(label)})` : referenceTo(label),
  );
}
