import type { ParseProblem } from '../diagnostics/parsed-file.ts';
import { findTooDeep } from './python-nesting.ts';
import { findImbalance, type Imbalance } from './bracket-scan.ts';
import { textOf } from './python-scopes.ts';
import { descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Problems listed for a file; later ones mostly follow from the first. */
const MAX_PROBLEMS = 3;
const MAX_QUOTE_LENGTH = 40;
/** A line that ends so has to go on. */
const UNFINISHED_ENDING =
  /([=+\-*/%,.\\([{&|^~<>@:]|\b(import|from|in|and|or|not|is|if|else|elif|as|lambda|await|for|while|with|def|class|assert|raise|try|except|del))\s*$/;

/** Syntax errors of a Python file in the order of its lines, including those that a tolerant grammar lets pass. */
export function readPythonProblems(root: SyntaxNode, text: string): ParseProblem[] {
  const errors = syntaxErrors(root, text);
  if (errors.length === 0) return [...strictErrors(root, text)].slice(0, MAX_PROBLEMS);
  const imbalance = findImbalance(text);
  if (imbalance !== undefined) return [describeImbalance(imbalance)];
  const [lastLine, ending] = lastCodeLine(text);
  const reachesEnd = errors.some(({ line }) => line >= lastLine);
  if (reachesEnd && UNFINISHED_ENDING.test(ending))
    return [{ kind: 'cut-off', line: lastLine, message: `the file ends in "${quote(ending)}"` }];
  return errors.slice(0, MAX_PROBLEMS);
}

function describeImbalance({ kind, token, line, followedByCode }: Imbalance): ParseProblem {
  const problem = followedByCode ? 'does-not-parse' : 'cut-off';
  switch (kind) {
    case 'stray-bracket':
      return { kind: 'does-not-parse', line, message: `unexpected "${token}"` };
    case 'unclosed-bracket':
      return { kind: problem, line, message: `"${token}" is opened and never closed` };
    case 'unclosed-string':
      return {
        kind: problem,
        line,
        message: `the string that starts with ${token} is never closed`,
      };
  }
}

/** The innermost error nodes: an outer one may span half the file. */
function syntaxErrors(root: SyntaxNode, text: string): ParseProblem[] {
  const problems: ParseProblem[] = [];
  for (const node of descendants(root)) {
    if (node.missing)
      problems.push({
        kind: 'does-not-parse',
        line: node.line,
        message: `expected "${node.type}"`,
      });
    if (node.type !== 'ERROR') continue;
    if (node.children.some(({ type }) => type === 'ERROR')) continue;
    problems.push({ kind: 'does-not-parse', line: node.line, message: unexpected(node, text) });
  }
  return problems;
}

function unexpected(node: SyntaxNode, text: string): string {
  const source = quote(textOf(node, text));
  return source === '' ? 'invalid syntax' : `unexpected "${source}"`;
}

function quote(source: string): string {
  const [line = ''] = source.trim().split('\n');
  return line.length <= MAX_QUOTE_LENGTH ? line : `${line.slice(0, MAX_QUOTE_LENGTH - 1)}…`;
}

function* strictErrors(root: SyntaxNode, text: string): Generator<ParseProblem> {
  const tooDeep = findTooDeep(root);
  if (tooDeep) yield tooDeep;
  const [lastLine] = lastCodeLine(text);
  for (const node of descendants(root)) {
    const error = strictError(node, text);
    if (error === undefined) continue;
    const atEnd = error.endsBlock && node.line >= lastLine;
    yield {
      kind: atEnd ? 'cut-off' : 'does-not-parse',
      line: node.line,
      message: atEnd ? `the file ends in "${quote(textOf(node, text))}"` : error.message,
    };
  }
}

interface StrictError {
  readonly message: string;
  /** What a file that breaks off would also look like. */
  readonly endsBlock: boolean;
}

/** What Python refuses and the grammar accepts. */
function strictError(node: SyntaxNode, text: string): StrictError | undefined {
  switch (node.type) {
    case 'print_statement':
    case 'exec_statement':
      return { message: `${node.type.slice(0, -10)} is a function in Python 3`, endsBlock: false };
    case 'try_statement':
      return node.children.some(({ type }) => /^(except|finally)/.test(type))
        ? undefined
        : { message: '"try" without "except" or "finally"', endsBlock: false };
    case 'module':
      return indentationError(node, 0, text);
    case 'block': {
      const [first] = namedChildren(node);
      if (first !== undefined) return indentationError(node, indentation(first, text), text);
      return undefined;
    }
    default: {
      const isBare = node.children.some(
        ({ type, children }) => type === 'block' && children.every((c) => c.type === 'comment'),
      );
      const head = quote(textOf(node, text));
      return isBare ? { message: `"${head}" has no body`, endsBlock: true } : undefined;
    }
  }
}

function indentationError(
  block: SyntaxNode,
  expected: number | undefined,
  text: string,
): StrictError | undefined {
  for (const statement of namedChildren(block)) {
    const actual = indentation(statement, text);
    if (actual === undefined || expected === undefined || actual === expected) continue;
    const message = `line ${statement.line} is indented by ${actual} where ${expected} is expected`;
    return { message, endsBlock: false };
  }
  return undefined;
}

/** Columns before a statement, undefined when it does not begin its line. */
function indentation({ start, column }: SyntaxNode, text: string): number | undefined {
  const before = text.slice(start - column, start);
  if (before.trim().replace('\ufeff', '') !== '') return undefined;
  // Python counts a tab up to the next multiple of eight; a form feed starts the count again.
  return Array.from(before.replace('\ufeff', '')).reduce(
    (width, character) =>
      character === '\t' ? width + 8 - (width % 8) : character === '\f' ? 0 : width + 1,
    0,
  );
}

/** The number and text of the last line that holds more than a comment. */
function lastCodeLine(text: string): readonly [number, string] {
  const lines = text.split('\n');
  const index = lines.findLastIndex((line) => !/^\s*(#.*)?$/.test(line));
  return [index + 1, (lines[index] ?? '').replace(/\s+#[^'"]*$/, '')];
}
