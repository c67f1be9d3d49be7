import type { ConfigurationValue, Environment, MethodCard } from '../domain/blueprint.ts';
import type { AmendedExperiment, AmendedFile, PlanText } from '../domain/blueprint-draft.ts';
import type { SameDemands } from '../domain/fold-restatements.ts';
import type { Measure } from '../domain/experiment.ts';
import { pathProblem } from '../domain/path.ts';
import type { AnswerRecord } from '../domain/records.ts';
import { cellsOfLine, field, listField } from './record-answer.ts';

/** The records a blueprint is written in, by the planner and to it. */
export const PLAN_KINDS = {
  plan: ['title', 'summary', 'dataflow', 'validation'],
  experiment: ['title', 'question', 'axis', 'measure', 'command'],
  file: [
    'purpose',
    'needs',
    'owns',
    'lines',
    'signatures',
    'instructions',
    'add-signatures',
    'add-instructions',
  ],
} as const;
export const SETUP_KINDS = {
  value: ['value', 'legal', 'requirement', 'reason', 'deviates'],
  method: ['source', 'text'],
  environment: ['python', 'package', 'notes'],
  same: ['with'],
} as const;

/** Longer ones are no paths; the bound keeps hostile text cheap. */
const MOST_PATH = 400;
const MOST_COMMAND = 2000;

/** `@plan`, with the fields that it holds. */
export function planOf({ fields }: AnswerRecord): Partial<PlanText> {
  const { title, summary, dataflow, validation } = fields;
  return {
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(dataflow !== undefined && { dataFlow: dataflow }),
    ...(validation !== undefined && { validation }),
  };
}

/** `@file path`, with the fields that it holds. A path that cannot be used is a problem. */
export function fileOf(record: AnswerRecord, problems: string[]): AmendedFile | undefined {
  const path = pathOf(record.rest);
  const wrong = pathProblem(path);
  if (wrong !== undefined) {
    problems.push(`@file ${record.rest.slice(0, 80)} (line ${record.line}): the path ${wrong}.`);
    return undefined;
  }
  const { purpose, signatures, instructions, lines } = record.fields;
  const moreSignatures = record.fields['add-signatures'];
  const moreInstructions = record.fields['add-instructions'];
  const expectedLines = Number(/\d{1,6}/.exec(lines ?? '')?.[0] ?? 0);
  return {
    path,
    ...(purpose && { purpose: purpose.replace(/\s+/g, ' ') }),
    ...(record.fields['needs'] !== undefined && { needs: listField(record, 'needs').map(pathOf) }),
    ...(record.fields['owns'] !== undefined && { owns: requirementIds(field(record, 'owns')) }),
    ...(signatures !== undefined && { signatures }),
    ...(instructions !== undefined && { instructions }),
    ...(moreSignatures && { moreSignatures }),
    ...(moreInstructions && { moreInstructions }),
    ...(expectedLines > 0 && { expectedLines }),
  };
}

/** `@same id`: the row that stays, and those that it says. */
export function sameOf(record: AnswerRecord): SameDemands | undefined {
  const [stays, ...more] = requirementIds(record.rest);
  const goes = [...more, ...requirementIds(field(record, 'with'))];
  return stays === undefined || goes.length === 0 ? undefined : { stays, goes };
}

/** A path as models write it, without marks around it and a leading `./`. */
export function pathOf(text: string): string {
  return text
    .trim()
    .slice(0, MOST_PATH)
    .replace(/^[`"'*]+|[`"'*]+$/g, '')
    .replace(/^\.\//, '');
}

/** No ledger has as many. */
const MOST_IDS = 5000;

/** Every requirement id in a text, each once, in order; `R3-R6` stands for the four of them. */
export function requirementIds(text: string): string[] {
  const ids = new Set<string>();
  for (const [, first = '', last] of text.matchAll(/\bR(\d{1,5})(?:\s?[-–]\s?R?(\d{1,5}))?\b/g)) {
    const from = Number(first);
    const to = last === undefined ? from : Math.min(Number(last), from + 200);
    for (let number = from; number <= to; number += 1) ids.add(`R${number}`);
    if (ids.size > MOST_IDS) break;
  }
  return [...ids];
}

/** `@experiment E1`, with the fields that it holds. */
export function experimentOf(
  record: AnswerRecord,
  problems: string[],
): AmendedExperiment | undefined {
  const id = /^E\d{1,4}$/.exec(record.rest.trim())?.[0];
  if (id === undefined) {
    problems.push(
      `@experiment ${record.rest.slice(0, 40)} (line ${record.line}): the id must be E1, E2, ….`,
    );
    return undefined;
  }
  const { title, question, axis, measure, command } = record.fields;
  return {
    id,
    ...(title && { title }),
    ...(question !== undefined && { question }),
    ...(axis !== undefined && {
      axes: linesOf(axis).flatMap((line) => axisOf(line, id, problems) ?? []),
    }),
    ...(measure !== undefined && { measures: linesOf(measure).flatMap(measureOf) }),
    ...(command !== undefined && {
      command: command
        .slice(0, MOST_COMMAND)
        .replace(/^`+|`+$/g, '')
        .trim(),
    }),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => line !== '' && line !== 'none');
}

function axisOf(
  line: string,
  id: string,
  problems: string[],
): { name: string; values: string[] } | undefined {
  const [name = '', ...values] = cellsOfLine(line).filter((cell) => cell !== '');
  if (name !== '' && values.length > 0) return { name, values };
  problems.push(`@experiment ${id}: axis "${line.slice(0, 60)}" must read "name | value | value".`);
  return undefined;
}

/** `name | when | unit | file`; where more bars stand, the outer parts count from the ends. */
function measureOf(line: string): Measure[] {
  const cells = cellsOfLine(line);
  const name = cells[0] ?? '';
  if (name === '') return [];
  if (cells.length < 4) return [{ name, when: cells[1] ?? '', unit: cells[2] ?? '', file: '' }];
  return [
    {
      name,
      when: cells.slice(1, -2).join(' | '),
      unit: cells.at(-2) ?? '',
      file: pathOf(cells.at(-1) ?? ''),
    },
  ];
}

/** `@value key`. A value without key is dropped: there is nothing to set. */
export function valueOf(record: AnswerRecord): ConfigurationValue | undefined {
  const key = pathOf(record.rest.split(/[\s=:]/)[0] ?? '');
  if (key === '') return undefined;
  const requirements = [...new Set(requirementIds(field(record, 'requirement')))];
  const reason = field(record, 'reason');
  const legal = listField(record, 'legal');
  const says = field(record, 'deviates').toLowerCase();
  const deviates = says === '' ? DEPARTURE.test(reason) : /^(?:yes|true)\b/.test(says);
  return {
    key,
    value: field(record, 'value'),
    ...(legal.length > 0 && { legal }),
    requirements,
    reason,
    deviates: deviates && requirements.length > 0,
  };
}

/** How a reason says that the paper is not followed, where the record does not. */
const DEPARTURE =
  /\b(?:deviates|deviating|departs|departing|departure) from\b|\b(?:instead of|contrary to|unlike) the paper\b/i;

/** `@method name`. One without text is a problem: its knowledge would be lost. */
export function methodOf(record: AnswerRecord, problems: string[]): MethodCard | undefined {
  const text = field(record, 'text');
  if (record.rest === '' || text === '') {
    problems.push(
      `@method ${record.rest.slice(0, 60)} (line ${record.line}) needs a name and a text.`,
    );
    return undefined;
  }
  const source = /paper|cited|inferred/.exec(field(record, 'source').toLowerCase())?.[0];
  return {
    name: record.rest,
    source: source === 'paper' || source === 'cited' ? source : 'inferred',
    text,
  };
}

/** `@environment`, with the fields that it holds; a package line reads `name version`. */
export function environmentOf(record: AnswerRecord): Partial<Environment> {
  const { python, notes } = record.fields;
  const lines = record.fields['package'];
  return {
    ...(python !== undefined && { python }),
    ...(lines !== undefined && { packages: linesOf(lines).flatMap(packageOf) }),
    ...(notes !== undefined && { notes }),
  };
}

function packageOf(line: string): Environment['packages'] {
  const [name = '', ...rest] = line
    .slice(0, MOST_PATH)
    .replace(/\s*[=~><]=?=?\s*/, ' ')
    .split(/\s+/);
  return name === '' ? [] : [{ name, version: rest.join(' ') }];
}
