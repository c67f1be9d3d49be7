import { parse, TomlError } from 'smol-toml';
import { z } from 'zod';
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

/** The packages that a `pyproject.toml` lists one by one; none where they are looked for, or moved to other folders. */
export function readInstalled(text: string): string[] {
  const setuptools = tableIn(tableIn(readTable(text), 'tool'), 'setuptools');
  const { packages } = z.object({ packages: z.unknown() }).partial().parse(setuptools);
  const listed = z.array(z.string()).safeParse(packages);
  return listed.success && !('package-dir' in setuptools) ? listed.data : [];
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
