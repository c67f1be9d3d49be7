import { firstSentences } from '../domain/first-sentences.ts';
import { parseRecords, type AnswerRecord, type RecordKinds } from '../domain/records.ts';
import type { Reading } from './prompt.ts';

/** How structured answers are written; every prompt that wants one shows it before its own kinds. */
export const RECORD_FORMAT = `Answer in records, as plain text. A record starts with a line "@kind", or "@kind name" where the example shows a name; its fields are lines "key: value". A longer value goes on in the next lines, indented by two spaces. Formulas and code stand as they are: no JSON, no escaping, no fence around the answer. Only records and fields shown here exist. The last line of the answer is @done; without it the answer is taken for cut off.`;

/** As many problems as a model can be expected to mend in one try. */
const MOST_PROBLEMS = 20;

/**
 * Reads an answer in records. `build` turns them into the answer and adds a sentence to `problems` for each record that
 * cannot be used; with any problem the model is asked once more, so only what is truly unusable belongs there.
 */
export function readRecords<Answer>(
  reply: string,
  kinds: RecordKinds,
  build: (records: readonly AnswerRecord[], problems: string[]) => Answer,
): Reading<Answer> {
  const { records, done } = parseRecords(reply, kinds);
  if (!done) {
    const seen =
      records.length === 0 ? 'holds no record and' : `holds ${records.length} records but`;
    return {
      kind: 'problems',
      problems: [
        `The answer ${seen} does not end with the line @done. Give it whole, shorter if needed.`,
      ],
    };
  }
  const problems: string[] = [];
  const answer = build(records, problems);
  if (problems.length === 0) return { kind: 'answer', answer };
  return { kind: 'problems', problems: firstSentences(problems, MOST_PROBLEMS), rest: answer };
}

/** A field's text, or empty. */
export function field(record: AnswerRecord, key: string): string {
  return record.fields[key] ?? '';
}

/** A field that lists names: split at commas, semicolons and line ends; `none` and `-` name nothing. */
export function listField(record: AnswerRecord, key: string): string[] {
  return field(record, key)
    .split(/[,;\n]/)
    .map((item) => item.trim().replace(/^[-*`]\s*|`$/g, ''))
    .filter((item) => item !== '' && !/^(?:none|n\/a)\.?$/i.test(item));
}

/** A line `a | b | c` as its parts, trimmed. */
export function cellsOfLine(line: string): string[] {
  return line.split(/\s\|\s|\|$|^\|/).map((cell) => cell.trim());
}
