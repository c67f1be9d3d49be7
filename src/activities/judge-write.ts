import { checkFile } from '../diagnostics/check-file.ts';
import { shrinkProblem } from '../diagnostics/check-shrink.ts';
import type { Draft } from '../domain/draft.ts';
import { isBlocking, type Problem } from '../domain/finding.ts';
import type { ModelReply } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import { readTurn } from '../prompts/read-turn.ts';
import { getText } from '../store/stored-json.ts';
import type { Spoken } from './conversation.ts';
import type { Deps } from './deps.ts';
import { loadState } from './load.ts';
import { parseText } from './parsed-tree.ts';
import { say } from './say.ts';

/** One turn on one file: which it is, and the state that it started from (absent in calls of earlier versions). */
export interface TurnPlace {
  readonly run: string;
  readonly path: string;
  readonly round: number;
  readonly turn: number;
  readonly stateRef?: Ref | undefined;
}

/** What a reply leads to; `file` is what it wrote, stored, where there is anything. */
export type Judgement =
  | { readonly kind: 'accepted'; readonly file: Ref }
  | {
      readonly kind: 'refused';
      readonly file: Ref | null;
      readonly reasons: readonly string[];
      /** The whole file as it was put together from several replies; null where one reply held it. */
      readonly joined: string | null;
    }
  | {
      readonly kind: 'draft';
      readonly file: Ref;
      readonly draft: Draft;
      readonly problems: readonly string[];
    };

/** The file that a reply writes, and why it cannot be accepted as it is. */
export async function judgeWrite(
  deps: Deps,
  place: TurnPlace,
  reply: ModelReply,
  { messages, draft }: Spoken,
): Promise<Judgement> {
  const { path } = place;
  const reading = readTurn({ reply, path, draft, asked: draft?.asked ?? messages.length });
  switch (reading.kind) {
    case 'problems':
      return { kind: 'refused', file: null, reasons: reading.problems, joined: null };
    case 'draft': {
      const file = await deps.store.put(reading.draft.text);
      return { ...reading, file };
    }
    case 'file': {
      const { content, shrinks } = reading;
      const file = await deps.store.put(content);
      const before = await currentText(deps, place);
      const parsed = await parseText(deps, path, content, file);
      const problems = [
        ...checkFile(parsed, content).filter((problem) =>
          isRefused(problem, before === null && place.turn === 1),
        ),
        ...shrinkProblem(path, { before, after: content, shrinks }),
      ];
      const reasons = problems.map(({ message, remedy }) => `${message} ${remedy}`);
      if (reasons.length === 0) return { kind: 'accepted', file };
      return { kind: 'refused', file, reasons, joined: draft ? content : null };
    }
  }
}

/**
 * What blocks a run refuses a write each time. What only warns is asked for once, of a new file, and then becomes a
 * finding: no file is lost over it.
 */
function isRefused(problem: Problem, isFirstTry: boolean): boolean {
  return isBlocking(problem) || isFirstTry;
}

/** The accepted content that a write would replace, or null. */
async function currentText(deps: Deps, { path, stateRef }: TurnPlace): Promise<string | null> {
  const current = stateRef && (await loadState(deps, stateRef)).tree[path];
  return current ? getText(deps.store, current) : null;
}

/** Tells that a write was accepted. */
export async function sayWritten(
  deps: Deps,
  { run, path, round, turn }: TurnPlace,
  file: Ref,
): Promise<void> {
  const text = `Wrote ${path}: ${file.bytes} bytes in ${turn} ${turn === 1 ? 'turn' : 'turns'}.`;
  await say(deps, run, { kind: 'file-written', round, subject: path, text, ref: file });
}
