import { checkFile } from '../diagnostics/check-file.ts';
import type { ModelReply } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import { readWrite } from '../prompts/write-answer.ts';
import { endProblem } from './ask.ts';
import type { Deps } from './deps.ts';
import { parseText } from './parsed-tree.ts';
import { say } from './say.ts';

/** The file that a reply writes, stored, and why it cannot be accepted as it is. */
export async function judgeWrite(
  deps: Deps,
  path: string,
  reply: ModelReply,
): Promise<{ file: Ref | null; reasons: string[] }> {
  const cut = endProblem(reply);
  const reading = readWrite(reply.text, path);
  if (reading.kind === 'problems')
    return { file: null, reasons: cut ? [cut] : [...reading.problems] };
  const { content } = reading.answer;
  const file = await deps.store.put(content);
  const problems = checkFile(await parseText(deps, path, content, file), content);
  const reasons = problems.map(({ message, remedy }) => `${message} ${remedy}`);
  return { file, reasons: cut ? [cut, ...reasons] : reasons };
}

/** Tells that a write was accepted. */
export async function sayWritten(
  deps: Deps,
  { run, path, round, turn }: { run: string; path: string; round: number; turn: number },
  file: Ref,
): Promise<void> {
  const text = `Wrote ${path}: ${file.bytes} bytes in ${turn} ${turn === 1 ? 'turn' : 'turns'}.`;
  await say(deps, run, { kind: 'file-written', round, subject: path, text, ref: file });
}
