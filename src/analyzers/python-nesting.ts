import type { ParseProblem } from '../diagnostics/parsed-file.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** What CPython's tokenizer takes; the grammar here takes any depth. */
const MOST_BRACKETS = 200;
const MOST_BLOCKS = 99;

interface Depth {
  readonly brackets: number;
  readonly blocks: number;
}

/** The first place where brackets or indented blocks stand deeper in each other than Python reads. */
export function findTooDeep(root: SyntaxNode): ParseProblem | undefined {
  const stack: (readonly [SyntaxNode, Depth])[] = [[root, { brackets: 0, blocks: 0 }]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, above] = next;
    const depth = depthOf(node, above);
    if (depth.brackets > MOST_BRACKETS)
      return tooDeep(node, `more than ${MOST_BRACKETS} brackets stand in each other`);
    if (depth.blocks > MOST_BLOCKS)
      return tooDeep(node, `more than ${MOST_BLOCKS} indented blocks stand in each other`);
    for (const child of node.children) stack.push([child, depth]);
  }
  return undefined;
}

function depthOf({ type, children }: SyntaxNode, { brackets, blocks }: Depth): Depth {
  const opens = children.some((child) => !child.named && /^[([{]$/.test(child.type));
  return {
    brackets: opens ? brackets + 1 : brackets,
    blocks: type === 'block' ? blocks + 1 : blocks,
  };
}

function tooDeep({ line }: SyntaxNode, message: string): ParseProblem {
  return { kind: 'does-not-parse', line, message };
}
