import type { Block, Draft, HeadingBlock } from './blocks.ts';
import { attachCaptions } from './captions.ts';
import { levelByNumber } from './heading-levels.ts';
import { scanBlocks } from './markdown-blocks.ts';

const YAML_HEADER = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Reads a Markdown paper, also one with LaTeX sections, tables and equations in it. Never throws. */
export function readMarkdown(text: string): Draft {
  const header = YAML_HEADER.exec(text);
  const isYaml = header !== null && /^[\w-]+:/m.test(header[1] ?? '');
  const scanned = scanBlocks(isYaml ? text.slice(header[0].length) : text);
  const titleInHeader = isYaml ? titleOf(header[1] ?? '') : '';
  const blocks = levelByNumber(attachCaptions(scanned.blocks));
  const title = titleInHeader || scanned.title;
  const own = title === '' ? titleHeading(blocks) : undefined;
  return {
    form: 'markdown',
    title: own?.text ?? title,
    blocks: own === undefined ? blocks : blocks.filter((block) => block !== own),
    names: scanned.names,
    notices: scanned.notices,
  };
}

/** The `title:` of a YAML header, also when it goes on in indented lines. */
function titleOf(yaml: string): string {
  const found = /^title:[ \t]*([|>][-+]?)?[ \t]*(.*(?:\n[ \t]+\S.*)*)/im.exec(yaml);
  const value = (found?.[2] ?? '').replace(/\s+/g, ' ').trim();
  const quoted = /^(["'])(.*)\1$/.exec(value);
  return quoted?.[2]?.replaceAll("''", "'") ?? value;
}

/** The first heading when it alone has the highest level: it names the paper, not a section. */
function titleHeading(blocks: readonly Block[]): HeadingBlock | undefined {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const [first, ...others] = headings;
  if (first === undefined || first.front || others.some((other) => other.level <= first.level)) {
    return undefined;
  }
  return others.length > 0 ? first : undefined;
}
