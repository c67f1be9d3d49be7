import type { ParsedFile } from '../diagnostics/parsed-file.ts';
import type { Problem } from '../domain/finding.ts';
import type { Analysis, Checked, KeyedFile, KeyedTree } from './analysis.ts';
import { blankFile, languageOf } from './parse-file.ts';
import { startThread, type ThreadAnswer, type ThreadCalls } from './thread-calls.ts';

/** How long one file, or the checks of one tree, may take. Whole trees of hundreds of files take a second. */
export interface AnalysisLimits {
  readonly parseMs: number;
  readonly checkMs: number;
}

const LIMITS: AnalysisLimits = { parseMs: 30_000, checkMs: 90_000 };
/** Texts that were refused and are remembered. */
const MOST_REFUSED = 200;
/** A thread that dies again and again while a tree is read is given up on after as many tries. */
const MAX_TRIES = 5;

/** An analysis in a thread of its own, so that nothing of it holds up the caller; what takes too long is ended and becomes a problem of its file. */
export async function startAnalysis(limits: AnalysisLimits = LIMITS): Promise<Analysis> {
  const thread = await startThread();
  const refused = new Map<string, ParsedFile>();
  const parse = async (file: KeyedFile, text: string): Promise<ParsedFile> => {
    const known = refused.get(file.key);
    if (known) return known;
    const answer = await thread.ask({ kind: 'parse', file, text }, limits.parseMs);
    if (answer.kind === 'parsed') return answer.file;
    const unread = refusedFile(file.path, answer.kind === 'ended' ? answer.reason : answer.kind);
    if (refused.size >= MOST_REFUSED) refused.clear();
    refused.set(file.key, unread);
    return unread;
  };
  const provide = async (file: KeyedFile, textOf: TextOf): Promise<void> => {
    if (!refused.has(file.key)) await parse(file, await textOf(file));
    const known = refused.get(file.key);
    if (known) await thread.ask({ kind: 'keep', key: file.key, file: known }, limits.parseMs);
  };
  return {
    parse,
    check: (tree, textOf) =>
      checkWhole({ thread, limits, provide: (file) => provide(file, textOf) }, tree),
    end: thread.end,
  };
}

type TextOf = (file: KeyedFile) => Promise<string>;

interface Check {
  readonly thread: ThreadCalls;
  readonly limits: AnalysisLimits;
  readonly provide: (file: KeyedFile) => Promise<void>;
}

async function checkWhole(check: Check, tree: KeyedTree): Promise<Problem[]> {
  const whole = await problemsOf(check, tree, false);
  if (whole.kind === 'problems') return [...whole.problems];
  const alone = await problemsOf(check, tree, true);
  const rest = alone.kind === 'problems' ? alone.problems : [];
  return [...rest, uncheckedTree(tree, whole.reason)];
}

type Outcome = Extract<Checked, { kind: 'problems' }> | Extract<ThreadAnswer, { kind: 'ended' }>;

/** Sends the files that the thread has not, and asks again. */
async function problemsOf(check: Check, tree: KeyedTree, alone: boolean): Promise<Outcome> {
  const { thread, limits, provide } = check;
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const answer = await thread.ask({ kind: 'check', tree, alone }, limits.checkMs);
    if (answer.kind === 'ended') return answer;
    if (answer.kind !== 'checked') break;
    if (answer.checked.kind === 'problems') return answer.checked;
    for (const file of answer.checked.files) await provide(file);
  }
  return { kind: 'ended', reason: `its ${tree.files.length} files could not be kept together` };
}

function refusedFile(path: string, reason: string): ParsedFile {
  const message = `the file could not be read: ${reason}; write it shorter and plainer`;
  const blank = blankFile(path, languageOf(path));
  return { ...blank, problems: [{ kind: 'does-not-parse', line: 0, message }] };
}

/** Without the checks across files nobody may call the repository sound. */
function uncheckedTree({ files }: KeyedTree, reason: string): Problem {
  const path =
    files.find((file) => file.path.endsWith('.py'))?.path ?? files[0]?.path ?? 'README.md';
  return {
    ...{ kind: 'does-not-parse', path, symbol: 'all files together' },
    message: `The checks across all ${files.length} files were given up (${reason}), so imports, calls and settings between them are not checked.`,
    remedy: 'Find the file that is made to be hard to read, and write it plainly.',
  };
}
