import type { Draft } from '../domain/draft.ts';
import type { ModelReply } from '../domain/message.ts';
import { readToolCall, readToolUse, type ToolUse } from '../domain/tool-use.ts';
import { answerLines, blockBelow, type AnswerBlock } from './answer-block.ts';
import { readTurn } from './read-turn.ts';
import { readWrite } from './write-answer.ts';

/** One thing that a reply asks for. */
export interface Action {
  /** The call that it came as; null where it stands in the text. */
  readonly callId: string | null;
  /** How it is named to its sender. */
  readonly said: string;
  /** All of it, as it was sent. */
  readonly whole: string;
  readonly asked:
    | { readonly kind: 'use'; readonly use: ToolUse }
    | { readonly kind: 'problems'; readonly problems: readonly string[] };
}

/** All that a reply asks for, in order. */
export interface TurnActions {
  readonly actions: readonly Action[];
  /** The file whose block the reply's end cut, as far as it came; null where nothing was cut, or nothing is worth keeping. */
  readonly arrived: Draft | null;
  /** The text before that block; all of it where none was cut. */
  readonly before: string;
}

/** An action in the text: its marker's line, and the lines that belong to it. */
interface Segment {
  readonly word: string;
  readonly rest: string;
  readonly lines: readonly string[];
  readonly blocks: readonly AnswerBlock[];
  /** The line that it begins on, from 0. */
  readonly start: number;
  readonly isOnLastLine: boolean;
}

const MARKER = /^@(read|search|paper|write|edit|check)(?:[ \t]+(.*))?$/;
const SAID_CHARACTERS = 200;

/**
 * Reads what a reply asks for: actions in its text first, then calls of tools; both mean the same. Of a reply that was
 * cut, the last action is not carried out: nobody knows how it would have gone on.
 */
export function readActions(
  reply: Pick<ModelReply, 'text' | 'toolCalls' | 'finish' | 'usage'>,
  path: string,
): TurnActions {
  const lines = answerLines(reply.text);
  const segments = segmentsOf(lines);
  const isCut = reply.finish === 'length';
  const calls = reply.toolCalls;
  let arrived: Draft | null = null;
  const texts = segments.map((segment, index): Action => {
    const isLast = index === segments.length - 1 && calls.length === 0;
    const said = `@${segment.word} ${segment.rest}`.trim().slice(0, SAID_CHARACTERS);
    const named = { callId: null, said, whole: segment.lines.join('\n') };
    if (segment.word !== 'write') return { ...named, asked: readSegment(segment, isLast && isCut) };
    if (!isLast) return { ...named, asked: readWhole(segment, path) };
    const last = readLastWrite(segment, reply, path);
    if (last.kind === 'draft') arrived = last.draft;
    const asked = last.kind === 'draft' ? { kind: 'problems' as const, problems: [] } : last;
    return { ...named, asked };
  });
  const called = calls.map((call, index): Action => {
    const whole = `${call.name} ${call.arguments}`;
    const isLast = index === calls.length - 1;
    const asked = isCut && isLast ? CUT_CALL : ofCall(call);
    return { callId: call.id, said: whole.slice(0, SAID_CHARACTERS), whole, asked };
  });
  const actions = arrived ? texts.slice(0, -1) : [...texts, ...called];
  const end = arrived ? segments.at(-1)?.start : undefined;
  return { actions, arrived, before: lines.slice(0, end).join('\n') };
}

/** Whether a reply is one write in its text and asks for nothing else. */
export function isOneWrite(
  reply: Pick<ModelReply, 'text' | 'toolCalls' | 'finish' | 'usage'>,
  path: string,
): boolean {
  const [action, ...others] = readActions(reply, path).actions;
  if (action?.asked.kind !== 'use' || others.length > 0) return false;
  return action.asked.use.name === 'write_file';
}

type Asked = Action['asked'];

const CUT_CALL: Asked = problems(
  'cut-off: the reply ended here, so it was not carried out. A file that is long is best sent as @write with a fenced block: it can be continued where it was cut.',
);

function ofCall(call: ModelReply['toolCalls'][number]): Asked {
  const reading = readToolCall(call);
  return reading.kind === 'use' ? reading : problems(reading.problem);
}

/** Markers stand at the beginning of a line, outside the blocks of the actions before; `@done` ends them. */
function segmentsOf(lines: readonly string[]): Segment[] {
  const starts: { at: number; word: string; rest: string; blocks: AnswerBlock[] }[] = [];
  let end = lines.length;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trimEnd() === '@done') {
      end = at + 1;
      break;
    }
    const [, word, rest] = MARKER.exec(line.trimEnd()) ?? [];
    if (word === undefined) continue;
    const blocks = blocksBelow(lines, at, word);
    starts.push({ at, word, rest: rest ?? '', blocks });
    const last = blocks.at(-1);
    if (last) at = (last.end ?? lines.length) - 1;
  }
  return starts.map(({ at, word, rest, blocks }, index) => ({
    ...{ word, rest: rest.trim(), blocks },
    lines: lines.slice(at, starts[index + 1]?.at ?? end),
    start: at,
    isOnLastLine: at === lines.length - 1,
  }));
}

/** The block of a write, or the blocks of an edit, which follow each other. */
function blocksBelow(lines: readonly string[], at: number, word: string): AnswerBlock[] {
  if (word !== 'write' && word !== 'edit') return [];
  const blocks: AnswerBlock[] = [];
  for (let from = at; ;) {
    const block = blockBelow(lines, from, '');
    if (!block) return blocks;
    blocks.push(block);
    if (block.end === null || word === 'write') return blocks;
    from = block.end - 1;
  }
}

function readSegment(segment: Segment, isLastOfCut: boolean): Asked {
  const { word, rest, isOnLastLine } = segment;
  const isCut = isLastOfCut && (word === 'edit' || isOnLastLine);
  if (isCut) return problems('cut-off: the reply ended here, so it was not carried out.');
  switch (word) {
    case 'read': {
      const [, path, from, to] =
        /^(.*?)(?:[ \t]+(\d+)(?:[ \t]*[-–:,][ \t]*(\d+))?)?$/.exec(rest) ?? [];
      return use('read_file', {
        path: unquoted(path ?? ''),
        from: from === undefined ? null : Number(from),
        to: to === undefined ? null : Number(to),
      });
    }
    case 'search': {
      const [, path, words] = /^in:(\S+)[ \t]+(.+)$/.exec(rest) ?? [];
      return use('search_repository', {
        words: words ?? rest,
        path: path === undefined ? null : unquoted(path),
      });
    }
    case 'paper': {
      const [, id, from] = /^(\S+)[ \t]+from[ \t]+(\d+)$/.exec(rest) ?? [];
      return use('read_paper', { query: id ?? unquoted(rest), from: from ? Number(from) : null });
    }
    case 'edit':
      return readEdit(segment);
    default:
      return use('check_file', { path: rest === '' ? null : unquoted(rest) });
  }
}

/** Pairs of blocks: a text of the file, and what takes its place. */
function readEdit({ rest, blocks, lines }: Segment): Asked {
  if (blocks.some(({ end }) => end === null))
    return problems('cut-off: a block of the edit is never closed, so nothing of it was done.');
  if (blocks.length === 0 || blocks.length % 2 === 1)
    return problems(
      `Below @edit stand pairs of fenced blocks: a text of the file as it is, then what takes its place. There ${blocks.length === 1 ? 'is 1 block' : `are ${blocks.length} blocks`}.`,
    );
  const texts = blocks.map(({ content }) => content.join('\n'));
  const edits = texts.flatMap((search, index) =>
    index % 2 === 0 ? [{ search, replace: texts[index + 1] ?? '' }] : [],
  );
  const shrinks = lines.find((line) => line.startsWith('@shrinks '))?.slice('@shrinks '.length);
  return use('edit_file', { path: unquoted(rest), edits, shrinks: shrinks?.trim() ?? null });
}

/** A write with something behind it: its block must be closed, its end is the next action. */
function readWhole({ lines }: Segment, path: string): Asked {
  const reading = readWrite(`${lines.join('\n')}\n@done`, path);
  return reading.kind === 'problems' ? reading : written(path, reading.answer);
}

function readLastWrite(
  { lines }: Segment,
  reply: Pick<ModelReply, 'finish' | 'usage'>,
  path: string,
): Asked | { readonly kind: 'draft'; readonly draft: Draft } {
  const { finish, usage } = reply;
  const answer = { text: lines.join('\n'), finish, usage };
  const reading = readTurn({ reply: answer, path, draft: null, asked: 1 });
  switch (reading.kind) {
    case 'file':
      return written(path, reading);
    case 'problems':
      return reading;
    case 'draft':
      return { kind: 'draft', draft: reading.draft };
  }
}

function written(
  path: string,
  file: { readonly content: string; readonly shrinks: string },
): Asked {
  const { content, shrinks } = file;
  return { kind: 'use', use: { name: 'write_file', path, content, shrinks } };
}

function use(name: ToolUse['name'], value: unknown): Asked {
  const reading = readToolUse(name, value);
  return reading.kind === 'use' ? reading : problems(reading.problem);
}

function problems(sentence: string): Asked {
  return { kind: 'problems', problems: [sentence] };
}

function unquoted(text: string): string {
  return text.replace(/^[`"'*]+|[`"'*]+$/g, '').replace(/^\.\//, '');
}
