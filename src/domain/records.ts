/** One record of an answer: `@kind rest`, then its fields. Fields that were left out are absent. */
export interface AnswerRecord {
  readonly kind: string;
  /** What follows the kind on its line, trimmed. */
  readonly rest: string;
  readonly fields: Readonly<Partial<Record<string, string>>>;
  /** The line that it starts on, from 1. */
  readonly line: number;
}

/** A whole answer in lines. `done` is false when the closing `@done` is missing: the answer was cut. */
export interface ParsedRecords {
  readonly records: readonly AnswerRecord[];
  /** What could not be placed, one sentence each. */
  readonly problems: readonly string[];
  readonly done: boolean;
}

/** The kinds that an answer may hold, each with the keys of its fields. */
export type RecordKinds = Readonly<Record<string, readonly string[]>>;

/** A line of a field; `inline` is what stood behind its key, which has no indent to compare. */
interface FieldLine {
  readonly text: string;
  readonly inline: boolean;
}

interface OpenRecord {
  readonly kind: string;
  readonly rest: string;
  readonly line: number;
  readonly fields: Map<string, FieldLine[]>;
  key: string | undefined;
}

const HEAD = /^@([a-z][a-z-]*)(?:[ \t]+(.*))?$/s;
const FIELD = /^([a-z][a-z-]*):(?:[ \t]+(.*))?$/s;
const FENCE = /^`{3,}[a-z]*$/;

/**
 * Reads the line format in which models give structured answers, so that code and LaTeX travel unescaped.
 * A line `@kind rest` at column 0 starts a record, `key:` at column 0 with a key of that kind starts a field, all else
 * continues the field (its common indent is removed; a repeated key adds lines); `@done` ends the answer. Text before
 * the first record and after `@done` is ignored, and so are fences around the whole. Linear in the text; never throws.
 */
export function parseRecords(text: string, kinds: RecordKinds): ParsedRecords {
  const records: AnswerRecord[] = [];
  const problems: string[] = [];
  let open: OpenRecord | undefined;
  let done = false;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    if (line.trimEnd() === '@done') {
      done = true;
      break;
    }
    const head = headOf(line, kinds);
    if (head) {
      if (open) records.push(close(open));
      open = { ...head, line: index + 1, fields: new Map(), key: undefined };
    } else if (open && !continueRecord(open, line, kinds)) {
      problems.push(`Line ${index + 1} stands before the first key of its @${open.kind} record.`);
    }
  }
  if (open) records.push(close(open));
  return { records, problems, done };
}

function headOf(line: string, kinds: RecordKinds): { kind: string; rest: string } | undefined {
  const match = line.startsWith('@') ? HEAD.exec(line.trimEnd()) : null;
  const kind = match?.[1];
  if (kind === undefined || !Object.hasOwn(kinds, kind)) return undefined;
  return { kind, rest: (match?.[2] ?? '').trim() };
}

/** Adds a line to an open record; false when it has no place there. */
function continueRecord(record: OpenRecord, line: string, kinds: RecordKinds): boolean {
  const match = FIELD.exec(line);
  const key = match?.[1];
  if (key !== undefined && kinds[record.kind]?.includes(key)) {
    const value = (match?.[2] ?? '').trim();
    const lines = record.fields.get(key) ?? [];
    if (value) lines.push({ text: value, inline: true });
    record.fields.set(key, lines);
    record.key = key;
    return true;
  }
  if (record.key === undefined) return line.trim() === '' || FENCE.test(line.trim());
  record.fields.get(record.key)?.push({ text: line, inline: false });
  return true;
}

function close({ kind, rest, line, fields }: OpenRecord): AnswerRecord {
  const texts = [...fields].map(([key, lines]) => [key, textOf(lines)] as const);
  return { kind, rest, line, fields: Object.fromEntries(texts) };
}

function textOf(lines: readonly FieldLine[]): string {
  const kept = withoutOuterFence(lines);
  const indent = kept
    .filter(({ text, inline }) => !inline && text.trim() !== '')
    .map(({ text }) => text.length - text.trimStart().length)
    .reduce((least, each) => Math.min(least, each), Number.MAX_SAFE_INTEGER);
  return kept
    .map(({ text, inline }) => (inline ? text : text.slice(indent).trimEnd()))
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd();
}

/** A fence line that closes nothing in the field closes one around the records: it is no part of the field. */
function withoutOuterFence(lines: readonly FieldLine[]): readonly FieldLine[] {
  let fences = lines.filter(isFence).length;
  let end = lines.length;
  for (; end > 0; end -= 1) {
    const last = lines[end - 1];
    if (last && isFence(last) && fences % 2 === 1) fences -= 1;
    else if (last?.text.trim() !== '') break;
  }
  return lines.slice(0, end);
}

function isFence({ text, inline }: FieldLine): boolean {
  return !inline && FENCE.test(text);
}
