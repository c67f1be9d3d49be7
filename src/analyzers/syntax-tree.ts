import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Language, Parser, type TreeCursor } from 'web-tree-sitter';

/** A node of a syntax tree as plain data, so that nothing has to be freed and every reading of it is a pure function. */
export interface SyntaxNode {
  readonly type: string;
  /** The role it plays in its parent, such as `left`, or null. */
  readonly field: string | null;
  /** False for punctuation and keywords. */
  readonly named: boolean;
  /** Assumed by the parser though the text does not hold it. */
  readonly missing: boolean;
  /** Offsets into the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
  /** From 0, in UTF-16 units. */
  readonly column: number;
  readonly children: readonly SyntaxNode[];
}

/** Reads a text into a tree; undefined when the text takes too much work to be a program. */
export type ReadSyntax = (text: string) => SyntaxNode | undefined;

/** How often the parser may report progress (every few hundred operations); counted rather than timed, so that the answer is the same everywhere. */
const MAX_PROGRESS_REPORTS = 12_000;

/** Loads a grammar. Throws when the grammar's package is not installed whole. */
export async function loadSyntax(of: 'python' | 'bash'): Promise<ReadSyntax> {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve(
    `@vscode/tree-sitter-wasm/wasm/tree-sitter-${of}.wasm`,
  );
  const language = await Language.load(await readFile(grammar));
  const parser = new Parser();
  parser.setLanguage(language);
  return (text) => readTree(parser, text);
}

function readTree(parser: Parser, text: string): SyntaxNode | undefined {
  let reports = 0;
  const tree = parser.parse(text, null, {
    progressCallback: () => (reports += 1) > MAX_PROGRESS_REPORTS,
  });
  if (tree === null) {
    parser.reset();
    return undefined;
  }
  try {
    return copyTree(tree.walk(), lineStarts(text));
  } finally {
    tree.delete();
  }
}

/** Walks without recursion: brackets nested thousands deep must not exhaust the stack. */
function copyTree(cursor: TreeCursor, starts: readonly number[]): SyntaxNode {
  const copy = nodeCopier(cursor, starts);
  const root = copy();
  const ancestors = [root];
  const append = (): void => {
    const node = copy();
    ancestors.at(-1)?.children.push(node);
    ancestors.push(node);
  };
  for (;;) {
    if (cursor.gotoFirstChild()) {
      append();
      continue;
    }
    ancestors.pop();
    while (!cursor.gotoNextSibling()) {
      ancestors.pop();
      if (!cursor.gotoParent()) {
        cursor.delete();
        return root;
      }
    }
    append();
  }
}

interface MutableNode extends SyntaxNode {
  readonly children: MutableNode[];
}

/** Copies the node under the cursor. Each question to the cursor crosses into WebAssembly, so lines are counted here. */
function nodeCopier(cursor: TreeCursor, starts: readonly number[]): () => MutableNode {
  let line = 1;
  return () => {
    const start = cursor.startIndex;
    const end = cursor.endIndex;
    while ((starts[line] ?? Infinity) <= start) line += 1;
    return {
      type: cursor.nodeType,
      field: cursor.currentFieldName,
      named: cursor.nodeIsNamed,
      missing: start === end && cursor.nodeIsMissing,
      start,
      end,
      line,
      column: start - (starts[line - 1] ?? 0),
      children: [],
    };
  };
}

function lineStarts(text: string): number[] {
  const breaks = [...text.matchAll(/\n/g)];
  return [0, ...breaks.map(({ index }) => index + 1)];
}

/** The child in a role, such as `body`. */
export function childOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

/** The children that are not punctuation, keywords or comments. */
export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(
    (child) => child.named && child.type !== 'comment' && child.type !== 'line_continuation',
  );
}

/** A node and all below it in the order of the text; `enter` returning false leaves out what is below. */
export function* descendants(
  root: SyntaxNode,
  enter: (node: SyntaxNode) => boolean = () => true,
): Generator<SyntaxNode> {
  const stack = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if (!enter(node)) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push(child);
    }
  }
}

/** How many levels a tree has. */
export function depthOf(root: SyntaxNode): number {
  let depth = 0;
  for (let level = [root]; level.length > 0; level = level.flatMap(({ children }) => children))
    depth += 1;
  return depth;
}
