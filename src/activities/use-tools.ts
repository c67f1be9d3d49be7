import { callKey, MOST_REPEATS, withCalls, type Desk } from '../domain/desk.ts';
import { editText } from '../domain/edit-text.ts';
import type { ToolUse } from '../domain/tool-use.ts';
import { fileResult, paperResult, searchResult, type Readable } from '../prompts/tool-results.ts';
import type { Action } from '../prompts/turn-actions.ts';
import type { ActionResult } from '../prompts/turn-messages.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';
import { loadTexts } from './file-task.ts';
import { judgeDesk, type DeskJudgement } from './judge-desk.ts';
import { loadPaper } from './load.ts';
import type { Seen } from './seen.ts';

/** What one look-up may show, and all those of one reply together: a window is not for one file alone. */
const RESULT_CHARACTERS = 16_000;
const REPLY_CHARACTERS = 48_000;
const LEAST_CHARACTERS = 1_000;

/** What the actions of one reply led to. */
export interface ToolsUsed {
  readonly desk: Desk;
  readonly results: readonly ActionResult[];
  /** Of the file as it now stands, where it was judged; null where it did not change. */
  readonly judgement: DeskJudgement | null;
  /** Whether the judgement stands in the results already. */
  readonly isTold: boolean;
  /** Whether the reply ends with a write or edit that was done: nothing else was asked for behind it. */
  readonly endsWithWrite: boolean;
  /** The call that was made too often without effect, as it was sent; null where none was. */
  readonly repeated: string | null;
}

/** Carries out the actions of one reply, in order. Reads the store alone, so that doing it twice does the same. */
export async function useTools(
  deps: Deps,
  seen: Seen,
  start: Desk,
  actions: readonly Action[],
): Promise<ToolsUsed> {
  const table = openTable(deps, seen, start);
  const results: ActionResult[] = [];
  for (const action of actions) results.push({ action, result: await table.take(action) });
  return { ...(await table.close()), results };
}

type Done = { readonly result: string; readonly hasEffect?: true; readonly isLookup?: true };

function openTable(deps: Deps, seen: Seen, start: Desk) {
  let desk = start;
  let judgement: DeskJudgement | null = null;
  let isJudged = true;
  let isTold = false;
  let endsWithWrite = false;
  let left = REPLY_CHARACTERS;
  let idle: { readonly key: string; readonly said: string }[] = [];

  async function take({ asked, said, whole }: Action): Promise<string> {
    const done =
      asked.kind === 'use'
        ? await use(asked.use)
        : { result: `Not done. ${asked.problems.join(' ')}`.trim() };
    endsWithWrite = 'hasEffect' in done;
    if (endsWithWrite) {
      idle = [];
      return done.result;
    }
    const key = callKey(whole, done.result);
    idle.push({ key, said });
    if ('isLookup' in done) left -= done.result.length;
    const isSecond = desk.calls[key] === MOST_REPEATS - 2;
    return isSecond
      ? `${done.result}\n(You asked for this before, with the same result; once more ends your work on this file.)`
      : done.result;
  }

  async function use(use: ToolUse): Promise<Done> {
    switch (use.name) {
      case 'read_file':
      case 'search_repository':
      case 'read_paper':
        if (left < LEAST_CHARACTERS)
          return { result: 'Not done: one reply has been shown enough; ask for it in the next.' };
        return { result: await lookUp(use, Math.min(left, RESULT_CHARACTERS)), isLookup: true };
      case 'write_file':
        return ownPathProblem(use.path) ?? put(use.content, use.shrinks);
      case 'edit_file':
        return ownPathProblem(use.path) ?? edit(use);
      case 'check_file':
        return (use.path === undefined ? null : ownPathProblem(use.path)) ?? check();
    }
  }

  async function lookUp(
    use: Extract<ToolUse, { name: 'read_file' | 'search_repository' | 'read_paper' }>,
    most: number,
  ): Promise<string> {
    switch (use.name) {
      case 'read_file':
        return fileResult(use, await readable(), most);
      case 'search_repository':
        return searchResult(use, await readable(), most);
      case 'read_paper':
        return paperResult(use, await loadPaper(deps, seen.state.paper), most);
    }
  }

  async function readable(): Promise<Readable> {
    const own = desk.file ? { [seen.path]: desk.file } : {};
    return {
      texts: await loadTexts(deps, { ...seen.tree, ...own }),
      planned: seen.blueprint.files,
    };
  }

  function ownPathProblem(path: string): Done | null {
    return path === seen.path
      ? null
      : { result: `Not done: "${path.slice(0, 200)}" is not yours; only ${seen.path} is.` };
  }

  async function put(text: string, shrinks: string | undefined): Promise<Done> {
    const content = `${text.replaceAll('\r\n', '\n').trimEnd()}\n`;
    const file = await deps.store.put(content);
    const reason = shrinks ?? desk.shrinks;
    if (file.sha256 === desk.file?.sha256 && reason === desk.shrinks)
      return { result: `Nothing changed: ${seen.path} was the same before.` };
    desk = { ...desk, file, shrinks: reason, calls: {} };
    isJudged = isTold = false;
    const lines = content.split('\n').length - 1;
    return { result: `Done: ${seen.path} has ${lines} lines now.`, hasEffect: true };
  }

  async function edit({ edits, shrinks }: Extract<ToolUse, { name: 'edit_file' }>): Promise<Done> {
    const text = desk.file ? await getText(deps.store, desk.file) : seen.before;
    if (text === null) return { result: `Not done: ${seen.path} is not written yet; write it.` };
    const edited = editText(text, edits);
    return edited.kind === 'edited'
      ? put(edited.text, shrinks)
      : { result: `Not done, none of the edits. ${edited.problems.join(' ')}` };
  }

  async function check(): Promise<Done> {
    const file = desk.file ?? seen.tree[seen.path];
    if (!file) return { result: `${seen.path} is not written yet: there is nothing to check.` };
    const found = await judgeDesk(deps, seen, { file, shrinks: desk.shrinks });
    if (desk.file) {
      judgement = found;
      isJudged = isTold = true;
    }
    const refused = found.reasons.map((reason) => `- ${reason} (it cannot be accepted with this)`);
    const others = found.remarks.map(({ text }) => `- ${text}`);
    const all = [...refused, ...others];
    return { result: all.length === 0 ? 'Nothing is found wrong with it.' : all.join('\n') };
  }

  return {
    take,
    async close(): Promise<Omit<ToolsUsed, 'results'>> {
      if (desk.file && !isJudged)
        judgement = await judgeDesk(deps, seen, { file: desk.file, shrinks: desk.shrinks });
      const counted = withCalls(
        desk,
        idle.map(({ key }) => key),
      );
      const repeated = idle.find(({ key }) => (counted.calls[key] ?? 0) >= MOST_REPEATS);
      const judged = judgement ? { ...counted, reasons: [...judgement.reasons] } : counted;
      return { desk: judged, judgement, isTold, endsWithWrite, repeated: repeated?.said ?? null };
    },
  };
}
