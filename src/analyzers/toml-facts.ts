import { parse, TomlError } from 'smol-toml';
import type { ConsoleScript } from '../diagnostics/code-facts.ts';
import type { ParseProblem } from '../diagnostics/parsed-file.ts';

/** What keeps a TOML text from being read, as at most one problem. */
export function readTomlProblems(text: string): ParseProblem[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    const isKnown = error instanceof TomlError;
    const message = error instanceof Error ? error.message : String(error);
    const [first = ''] = message.replace(/^Invalid TOML document: /, '').split('\n');
    return [{ kind: 'does-not-parse', line: isKnown ? error.line : 0, message: first }];
  }
}

/** The commands that a `pyproject.toml` installs. */
export function readConsoleScripts(text: string): ConsoleScript[] {
  const document = readTable(text);
  const poetry = tableIn(tableIn(document, 'tool'), 'poetry');
  return [tableIn(document, 'project'), poetry].flatMap((table) =>
    Object.entries(tableIn(table, 'scripts')).flatMap(([name, target]) =>
      typeof target === 'string' ? [{ name, target }] : [],
    ),
  );
}

function readTable(text: string): object {
  try {
    return parse(text);
  } catch {
    // Reported as a problem of the file.
    return {};
  }
}

function tableIn(table: object, key: string): object {
  const value: unknown = new Map<string, unknown>(Object.entries(table)).get(key);
  return typeof value === 'object' && value !== null ? value : {};
}
