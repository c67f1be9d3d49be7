import type { ParseProblem } from '../diagnostics/parsed-file.ts';
import { descendants, type SyntaxNode } from './syntax-tree.ts';

/** What has to be closed, and by what. */
const CLOSERS: Readonly<Record<string, string>> = {
  if: 'fi',
  do: 'done',
  case: 'esac',
  '{': '}',
  '(': ')',
};

/**
 * What keeps a shell script from being read, as at most one problem. Silent for other shells, and after a
 * here-document: the grammar does not understand all of them.
 */
export function readShellProblems(root: SyntaxNode, text: string): ParseProblem[] {
  if (/^#!.*\b(zsh|ksh|fish|t?csh)\b|^#(compdef|autoload)/.test(text)) return [];
  const document = text.search(/<<-?\s*["'\\]?\w/);
  for (const node of descendants(root)) {
    if (document >= 0 && node.end > document && (node.missing || node.type === 'ERROR')) return [];
    if (node.missing)
      return [{ kind: 'does-not-parse', line: node.line, message: `expected "${node.type}"` }];
    if (node.type !== 'ERROR') continue;
    const first = text.slice(node.start, node.end).trim().split('\n')[0]?.slice(0, 40) ?? '';
    const closer = CLOSERS[/^(if|do|case|\{|\()/.exec(first)?.[1] ?? ''];
    const message =
      closer === undefined ? `unexpected "${first}"` : `"${first}" without its "${closer}"`;
    return [{ kind: 'does-not-parse', line: node.line, message }];
  }
  return [];
}
