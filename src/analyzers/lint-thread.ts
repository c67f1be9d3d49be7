import { parentPort } from 'node:worker_threads';
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import { z } from 'zod';
import type { LintMark } from '../diagnostics/check-lint.ts';

/** Rules about mistakes, none about style; undefined names are found by our own check, which knows what is never evaluated. */
const RULES = [
  ...['F404', 'F50', 'F521', 'F524', 'F525', 'F601', 'F62', 'F63', 'F70', 'F811', 'F823'],
  ...['PLE', 'B002', 'B003', 'B005', 'B015', 'B016', 'B020', 'B025', 'B029', 'B032', 'B035'],
];
/** Only exports are concerned, and names made at import time are no mistake. */
const LEFT_OUT = ['PLE0604', 'PLE0605'];

const Diagnostics = z.array(
  z.object({
    code: z.string().nullable(),
    message: z.string(),
    start_location: z.object({ row: z.int() }),
  }),
);
const Question = z.object({ id: z.int(), text: z.string() });

const workspace = new Workspace(
  { 'target-version': 'py313', lint: { select: RULES, ignore: LEFT_OUT } },
  PositionEncoding.Utf32,
);

parentPort?.on('message', (message: unknown) => {
  const { id, text } = Question.parse(message);
  parentPort?.postMessage({ id, marks: lint(text) });
});

function lint(text: string): LintMark[] {
  return Diagnostics.parse(workspace.check(text)).map(({ code, message, start_location }) => ({
    code: code ?? 'invalid-syntax',
    line: start_location.row,
    message: message.replace(/\.$/, ''),
  }));
}
