import type { PaperDocument } from '../domain/paper.ts';
import type { AnswerRecord } from '../domain/records.ts';
import { RequirementKind, type FoundRequirement } from '../domain/requirement.ts';
import { paperMessages, requestsText } from './paper-prefix.ts';
import type { Prompt } from './prompt.ts';
import { field, readRecords, RECORD_FORMAT } from './record-answer.ts';

/** What one reading of the paper looks for; the three together see it whole. */
export const LENSES = ['method', 'experiments', 'details'] as const;
export type Lens = (typeof LENSES)[number];

/** More from one lens would not be atomic demands but a paraphrase. */
const MOST = 400;

/** Of a demand or a quote. */
const MOST_CHARACTERS = 2000;

const KINDS = {
  requirement: ['kind', 'demand', 'quote', 'place', 'values', 'scope'],
};

const LOOKS_FOR: Readonly<Record<Lens, string>> = {
  method: `Your lens: **method and equations.** Each equation, loss term, update rule, sampling step, stopping rule, gradient stop, architecture part, initialisation and schedule of the paper's own method and of each component that it borrows or pre-trains. One requirement for each thing that can be wrong by itself: a sign, a normalisation, an order of updates, a term.`,
  experiments: `Your lens: **experiments, baselines and measures.** Each dataset or environment with version, preprocessing and split; each pre-trained or base model and how it is obtained; each baseline and ablation as an implementation of its own; each metric by formula; each measurement with the time at which it is taken (throughout training, every n steps, at the end), each timing and memory figure; each wiring of experiment × dataset × method that is reported; each choice that must be selectable, each value that must be variable, without editing code; seeds and aggregation; each claimed result with its direction.`,
  details: `Your lens: **appendices, tables, captions, footnotes and supplements.** Read these alone, row by row; two others read the body's prose, so do not list it again: a paper without appendix and supplements makes a short answer. Each hyper-parameter value, each per-dataset exception, each entry of a settings table, each implementation remark, each clarification or correction in a supplement, each prompt text or constant, each extra experiment, each thing that a supplement puts out of scope. What a supplement says differently from the paper is a requirement with the supplement's place.`,
};

const TASK = `# Your task: the ledger of requirements
A requirement is one atomic demand that someone can decide by reading code, yes or no. Graders will read the repository with a list much like it. The ledger is what the plan is held to; what is not in it will be forgotten.

Rules:
- Atomic: one demand each. "Adam with learning rate 3e-4 and batch size 64" is three.
- Concrete: name the thing, the value, the place where it applies. "Implements the method well" is none.
- A demand that holds for a list of datasets, environments or methods is stated once and names them all in \`values\`, unless it differs among them.
- Baselines, measurements and switches rank with equations.
- If the user's requests stand above, what code can satisfy of them is a requirement too: quote the request, leave its place empty.
- State each demand once; do not restate a value that another of your records fixes.
- Do not skip what seems obvious, small, or awkward to build. Do not invent what the paper does not demand.
- Prefer too many to too few: a full paper has 40 to 120 under your lens, a short one fewer.`;

const FORMAT = `${RECORD_FORMAT}

@requirement
kind: one of ${RequirementKind.options.join(', ')}
demand: one sentence that code satisfies or not
quote: the paper's own words or formula, verbatim, at most 40 words; empty if inferred
place: one id
values: exact values, separated by semicolons, such as lr=3e-4; batch_size=64. Empty if none
scope: main, appendix (experiments that only an appendix has), or excluded (the paper or a supplement puts it out of scope)
@done`;

/** One reading of the paper for its demands, under one lens. */
export function extractRequirements(
  paper: PaperDocument,
  userRequests: readonly string[],
  lens: Lens,
): Prompt<readonly FoundRequirement[]> {
  const task = [TASK, LOOKS_FOR[lens], FORMAT].join('\n\n');
  return {
    schemaId: 'extract-requirements/1',
    messages: [
      ...paperMessages(paper),
      { role: 'user', content: `${requestsText(userRequests)}${task}` },
    ],
    maxOutputTokens: 32_000,
    read: (reply) => readRecords(reply, KINDS, requirementsOf),
  };
}

/** An answer of mere scraps is asked for again; a scrap among many requirements is dropped. */
function requirementsOf(records: readonly AnswerRecord[], problems: string[]): FoundRequirement[] {
  const found = records.slice(0, MOST).flatMap((record) => requirementOf(record) ?? []);
  const unusable = Math.min(records.length, MOST) - found.length;
  if (unusable * 4 > records.length)
    problems.push(`${unusable} of ${records.length} @requirement records have no demand.`);
  return found;
}

function requirementOf(record: AnswerRecord): FoundRequirement | undefined {
  const demand = (field(record, 'demand') || record.rest)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
  if (demand === '') return undefined;
  const kind = RequirementKind.safeParse(field(record, 'kind').toLowerCase().trim());
  const scope = /excluded|appendix/.exec(field(record, 'scope').toLowerCase())?.[0];
  return {
    kind: kind.success ? kind.data : 'setting',
    demand,
    quote: unquoted(field(record, 'quote').slice(0, MOST_CHARACTERS)),
    place: /[a-z]+-?[\w/-]*/i.exec(field(record, 'place'))?.[0] ?? '',
    values: field(record, 'values')
      .split(/[;\n]/)
      .map((value) => value.trim())
      .filter((value) => value !== '' && !/^(?:none|n\/a|empty)\.?$/i.test(value)),
    scope: scope === 'excluded' || scope === 'appendix' ? scope : 'main',
  };
}

function unquoted(text: string): string {
  if (/^\(?(?:none|empty|inferred)\)?\.?$/i.test(text)) return '';
  return /^(["“]).*["”]$/s.test(text) ? text.slice(1, -1) : text;
}
