import { ContextTooLong } from '../domain/errors.ts';
import { estimateTokens } from '../domain/paper-text.ts';
import type { CheckAnswer, JudgedFile } from '../prompts/judge-round.ts';
import type { Reading } from '../prompts/prompt.ts';

/** Tokens that the files of one call may have, estimated: beyond them checks are weighed badly. */
const MOST_TOKENS = 60_000;

/** Decides the checks of some files in one call. */
export type Judge = (
  files: readonly JudgedFile[],
  label: string,
) => Promise<Reading<readonly CheckAnswer[]>>;

/** What one call said of the files that it saw. */
export interface JudgedPart {
  readonly files: readonly JudgedFile[];
  readonly reading: Reading<readonly CheckAnswer[]>;
}

/** One call for all files, or several for fewer each, where they are too long together. */
export async function askParts(
  judge: Judge,
  files: readonly JudgedFile[],
  label: string,
): Promise<JudgedPart[]> {
  const parts = smallerParts(files);
  const tokens = files.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  if (parts.length === 0 || tokens <= MOST_TOKENS) {
    try {
      return [{ files, reading: await judge(files, label) }];
    } catch (error) {
      if (!(error instanceof ContextTooLong)) throw error;
      if (parts.length === 0)
        return [{ files, reading: { kind: 'problems', problems: [error.message] } }];
    }
  }
  const found: JudgedPart[] = [];
  for (const [index, part] of parts.entries())
    found.push(...(await askParts(judge, part, `${label}/${index + 1}`)));
  return found;
}

/** Without the files that have no checks; where all have some, the halves; none of a single file. */
function smallerParts(files: readonly JudgedFile[]): (readonly JudgedFile[])[] {
  const judged = withChecks(files);
  if (judged.length < files.length) return [judged];
  const half = Math.ceil(files.length / 2);
  return files.length < 2 ? [] : [files.slice(0, half), files.slice(half)];
}

/** Those that something is to be decided of. */
export function withChecks(files: readonly JudgedFile[]): readonly JudgedFile[] {
  return files.filter(({ checks }) => checks.length > 0);
}
