import { parseAllDocuments } from 'yaml';
import type { ParseProblem } from '../diagnostics/parsed-file.ts';

/** What keeps a JSON text from being read, as at most one problem. */
export function readJsonProblems(text: string): ParseProblem[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const message = messageOf(error);
    const offset = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    const atEnd =
      offset >= text.trimEnd().length - 1 || /^Un(expected end|terminated)/.test(message);
    return [
      {
        kind: atEnd ? 'cut-off' : 'does-not-parse',
        line: text.slice(0, offset).split('\n').length,
        message: message.replace(/ (in JSON )?at position.*/s, ''),
      },
    ];
  }
}

/** A statement of Jinja, which makes YAML of it later. */
const TEMPLATE = /^\s*\{%-? /m;

/** What keeps a YAML text of one or more documents from being read, the first error of each. */
export function readYamlProblems(text: string): ParseProblem[] {
  if (TEMPLATE.test(text)) return [];
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent' });
    if (!Array.isArray(documents)) return [];
    return documents.flatMap(({ errors: [error] }) => {
      if (error === undefined) return [];
      const [message = ''] = error.message.split('\n');
      const line = error.linePos?.[0].line ?? 0;
      return [{ kind: 'does-not-parse', line, message: message.replace(/ at line \d+.*/, '') }];
    });
  } catch (error) {
    // Thousands of nested brackets exhaust the reader's stack.
    return [{ kind: 'does-not-parse', line: 0, message: messageOf(error) }];
  }
}

/** A fenced block of Markdown that is never closed, which is how a cut reply ends. */
export function readMarkdownProblems(text: string): ParseProblem[] {
  let open: { readonly fence: string; readonly line: number } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, fence, info] = /^ {0,3}(`{3,}(?!.*`)|~{3,})(.*)$/.exec(line) ?? [];
    if (fence === undefined) continue;
    if (open === undefined) open = { fence, line: index + 1 };
    else if (fence.startsWith(open.fence) && info?.trim() === '') open = undefined;
  }
  if (open === undefined) return [];
  return [{ kind: 'cut-off', line: open.line, message: 'the code block is never closed' }];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
