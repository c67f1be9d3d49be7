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

/** The records of a ledger. */
export const LEDGER_KINDS = {
  requirement: ['kind', 'demand', 'quote', 'place', 'values', 'scope'],
};

const LOOKS_FOR: Readonly<Record<Lens, string>> = {
  method: `Your lens: **method and equations.** Your kinds: equation, architecture, loss. Each equation, loss term, update rule, sampling step, stopping rule, gradient stop, architecture part, initialisation, what is trained and what is frozen, of the paper's own method and of each component that it borrows or pre-trains. One requirement for each thing that can be wrong by itself: a sign, a normalisation, an order of updates, a term.
The two others list datasets, baselines, measures and results; and all settings: sizes, layer counts, rates, schedules, steps, constants. A number that belongs into a formula is yours.`,
  experiments: `Your lens: **experiments, baselines and measures.** Your kinds: dataset, baseline, metric, measurement, result. Each dataset or environment with version, preprocessing and split; each pre-trained or base model and how it is obtained; each baseline and ablation as an implementation of its own; each metric by formula; each measurement with the time at which it is taken (throughout training, every n steps, at the end), each timing and memory figure; each wiring of experiment × dataset × method that is reported; each figure and table to be produced; aggregation over seeds. A claimed result is one row with its direction and size, however often abstract, text, tables and conclusion repeat it; a table of results is one row a method, its numbers in \`values\`.
The two others list equations and architectures of the paper's method; and all settings: hyper-parameters, switches, seeds, versions, hardware, looks of figures.`,
  details: `Your lens: **values and settings; appendices, captions, footnotes and supplements.** Your kinds: hyper-parameter, setting. Each value that the paper fixes or tunes, wherever it stands: sizes, layer counts, rates, schedules, steps, constants, prompt texts, per-dataset exceptions, seeds, versions, hardware; each choice that must be selectable and each value that must be variable without editing code; each implementation remark. A value is one row, however many places state it. Then read appendices, captions, footnotes, table notes and supplements alone, row by row: what *only* they demand is yours whatever its kind; what a supplement says differently from the paper has the supplement's place.
The two others list the body's equations and architectures; and its datasets, baselines, measures and results.`,
};

const TASK = `# Your task: the ledger of requirements
A requirement is one atomic demand that someone can decide by reading code, yes or no. Graders will read the repository with a list much like it. The ledger is what the plan is held to; what is not in it will be forgotten. Three of you read the whole paper at the same time, each for other kinds of demand; the lists are united.

Rules:
- Atomic: one demand each. "Adam with learning rate 3e-4 and batch size 64" is three.
- Concrete: name the thing, the value, the place where it applies. "Implements the method well" is none.
- A demand that holds for a list of datasets, environments or methods is stated once and names them all in \`values\`, unless it differs among them.
- Baselines, measurements and switches rank with equations.
- If the user's requests stand above, what code can satisfy of them is a requirement too: quote the request, leave its place empty.
- State each demand once, with all its places; do not restate a value that another of your records fixes. Leave the others' kinds to them; where you doubt that they will see it, list it.
- Do not skip what seems obvious, small, or awkward to build. Do not invent what the paper does not demand: a default that it leaves open is no requirement, a colleague chooses it. A number is stated as a value or within its formula, not as both.
- Prefer too many to too few: a full paper has 30 to 80 under your lens, a short one fewer.`;

/** The fields of a requirement, as every answer that holds one is shown them. */
export const LEDGER_FIELDS = `kind: one of ${RequirementKind.options.join(', ')}
demand: one sentence that code satisfies or not
quote: the paper's own words or formula, verbatim, at most 40 words; empty if inferred
place: the id that states it best; behind it, after commas, every other id that states the same
values: exact values, separated by semicolons, such as lr=3e-4; batch_size=64. Empty if none
scope: main, appendix (experiments that only an appendix has), or excluded (the paper or a supplement puts it out of scope)`;

const FORMAT = `${RECORD_FORMAT}

@requirement
${LEDGER_FIELDS}
@done`;

/** One reading of the paper for its demands, under one lens. */
export function extractRequirements(
  paper: PaperDocument,
  userRequests: readonly string[],
  lens: Lens,
): Prompt<readonly FoundRequirement[]> {
  // The three lenses begin alike, which providers' caches reward.
  const task = [TASK, FORMAT, LOOKS_FOR[lens]].join('\n\n');
  return {
    schemaId: 'extract-requirements/1',
    messages: [
      ...paperMessages(paper),
      { role: 'user', content: `${requestsText(userRequests)}${task}` },
    ],
    maxOutputTokens: 32_000,
    read: (reply) => readRecords(reply, LEDGER_KINDS, requirementsOf),
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

/** An id such as `sec-3-1` or `sup-1/sec-2`, or a word in its stead. */
const PLACE = /[a-z]+-?[\w/-]*/gi;

/** `@requirement`, or nothing where it demands nothing. */
export function requirementOf(record: AnswerRecord): FoundRequirement | undefined {
  const demand = (field(record, 'demand') || record.rest)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
  if (demand === '') return undefined;
  const kind = RequirementKind.safeParse(field(record, 'kind').toLowerCase().trim());
  const [place = '', ...otherPlaces] = new Set(field(record, 'place').match(PLACE) ?? []);
  const scope = /excluded|appendix/.exec(field(record, 'scope').toLowerCase())?.[0];
  return {
    kind: kind.success ? kind.data : 'setting',
    demand,
    quote: unquoted(field(record, 'quote').slice(0, MOST_CHARACTERS)),
    place,
    otherPlaces: otherPlaces.filter((other) => other !== place),
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
