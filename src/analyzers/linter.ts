import { z } from 'zod';
import type { LintMark } from '../diagnostics/code-facts.ts';

/** Looks for mistakes in a Python text that parses. */
export type Lint = (text: string) => readonly LintMark[];

/** Rules about mistakes, none about style; undefined names are found by our own check, which knows what is never evaluated. */
const RULES = [
  ...['F404', 'F50', 'F521', 'F524', 'F525', 'F601', 'F62', 'F63', 'F70', 'F811', 'F823'],
  ...['PLE', 'B002', 'B003', 'B015', 'B016', 'B025', 'B029', 'B032', 'B035'],
];
/** These only concern what `import *` would export. */
const LEFT_OUT = ['PLE0604', 'PLE0605'];

/** What a constructor may return: what the base's constructor returned. */
const RETURNS_NONE = /^\s*return\s+(super\(.*\)|\w+)\.__init__\(/;

const Diagnostics = z.array(
  z.object({
    code: z.string().nullable(),
    message: z.string(),
    start_location: z.object({ row: z.int() }),
  }),
);

/** Loads ruff, which takes a tenth of a second. Its first text takes half a second, a later one some milliseconds. */
export async function loadLint(): Promise<Lint> {
  // Only threads that read files need it.
  const { PositionEncoding, Workspace } = await import('@astral-sh/ruff-wasm-nodejs');
  const options = { 'target-version': 'py313', lint: { select: RULES, ignore: LEFT_OUT } };
  const workspace = new Workspace(options, PositionEncoding.Utf32);
  return (text) => {
    const lines = text.split('\n');
    return Diagnostics.parse(workspace.check(text))
      .map(({ code, message, start_location: { row } }) => ({
        code: code ?? 'invalid-syntax',
        line: row,
        message: message.replace(/\.$/, ''),
      }))
      .filter(({ code, line }) => code !== 'PLE0101' || !RETURNS_NONE.test(lines[line - 1] ?? ''));
  };
}
