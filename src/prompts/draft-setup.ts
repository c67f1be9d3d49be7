import type { Environment } from '../domain/blueprint.ts';
import type { SetupDraft } from '../domain/blueprint-draft.ts';
import type { AnswerRecord } from '../domain/records.ts';
import {
  environmentOf,
  methodOf,
  PLAN_KINDS,
  sameOf,
  SETUP_KINDS,
  valueOf,
} from './blueprint-records.ts';
import { planningMessages, type PlanningInput } from './planning-messages.ts';
import type { Prompt } from './prompt.ts';
import { readRecords, RECORD_FORMAT } from './record-answer.ts';

const TASK = `# Your task: values, method cards, environment
A second colleague plans the experiments and files next, with your answer before their eyes; do not plan those. Every name has one owner: keys, cards and versions are yours alone, paths, signatures, axes and columns your colleague's, so name none of these. Methods and datasets are spelled by the list of names that ends the concepts above, in small letters, words joined by _, in keys and as the names of cards. Your part decides every number, every borrowed method, and whether the code installs and runs.

**Values.** Every value that the paper fixes and every further one that code cannot run without. One @value each:
- key: dotted, lower case, by the paper's terms: group.name, and the dataset or method in front where it differs among them, such as train.lr or cifar10.train.epochs. You alone name the keys.
- value: exactly as YAML takes it; lists in square brackets; 0.0003, as YAML takes 3e-4 for a word.
- requirement: the ids that state it. Each hyper-parameter of the ledger is held by a key, one with a single value too.
- reason: empty when the paper states it plainly; else why this value: "inferred: …", or both readings and the choice.
- deviates: yes, where you knowingly set something else than its requirements state; the reason says why.
- legal: where it selects between readings, methods or modes, all values that it may take; nothing for a number.
Where the paper is silent and follows earlier work, that work's value is the default and the reason names it; "none" and 0 (no noise, no decay) are choices that need a reason too. An open reading is a key that selects between them. No switch that has one legal value only: what is fixed needs no alternative that the paper does not have.
Runs that differ in nothing but the seed share the one list of seeds; a study that needs its own says so, with an offset of at least 1000, so that no run repeats another's.
Include seeds, evaluation and logging intervals, everything that the paper varies, and what a smoke run of a minute on a CPU sets instead: smoke. in front of the whole name of the key that it replaces, such as smoke.train.epochs, and no other name.

**Demands said twice.** The ledger unites several readings of the paper and holds some demands more than once. Where code that meets one row cannot miss another, one @same with the row that says most, and those that say nothing beyond it: they become one row. A row with a value, case, condition or comparison that the first lacks is a demand of its own.

**Method cards.** One @method for each baseline, each ablation that is an algorithm of its own, and each borrowed component (pre-trained model, optimiser variant, environment wrapper). The colleague who implements it sees only the paper and this card. Under text:
  - objective as a formula with signs; update rule, step by step; architecture; defaults by number;
  - how the paper's use differs from the original;
  - what goes wrong when it is coded naively: a missing derivative, an unstable form, memory, an interface of the library that has changed;
  - a numeric check where one is short.
Take it from the paper where the paper says it (source: paper), else from the cited work as you know it (cited), else say so (inferred). The card's name is the method's, spelled as said.

**Environment.** Choose Python and package versions *together*: versions that exist, that were current at the same time, that work with each other on Linux without compiling, and that still install today. Prefer maintained successors of dead packages (gymnasium for gym) unless the paper's version changes results; then say how to get it. Pin each package; there is one way to install, into .venv. Include what settings, logging, plots and tests need; nothing that one short function replaces. Under notes: system libraries, downloads with their sizes, hardware, and which calls have changed names or arguments between the paper's versions and these.`;

const FORMAT = `${RECORD_FORMAT}

@value train.lr
value: 0.0003
legal:
requirement: R12, R40
reason:

@same R12
with: R40, R77

@method name_of_the_method
source: paper, cited or inferred
text:
  …

@environment
python: 3.11
package: name version
package: name version
notes: …
@done`;

/** The first half of the draft: whoever plans the files must know how the keys are spelled. */
export function draftSetup(input: PlanningInput): Prompt<SetupDraft> {
  return {
    schemaId: 'draft-setup/1',
    messages: [...planningMessages(input), { role: 'user', content: `${TASK}\n\n${FORMAT}` }],
    maxOutputTokens: 32_000,
    read: (reply) => readRecords(reply, { ...PLAN_KINDS, ...SETUP_KINDS }, setupOf),
  };
}

function setupOf(records: readonly AnswerRecord[], problems: string[]): SetupDraft {
  const ofKind = (kind: string): AnswerRecord[] => records.filter((each) => each.kind === kind);
  const environment = ofKind('environment')
    .map(environmentOf)
    .reduce<Environment>((all, each) => ({ ...all, ...each }), BLANK);
  if (environment.python === '')
    problems.push('The answer has no @environment with a Python version.');
  return {
    configuration: ofKind('value').flatMap((record) => valueOf(record) ?? []),
    methodCards: ofKind('method').flatMap((record) => methodOf(record, problems) ?? []),
    environment,
    same: ofKind('same').flatMap((record) => sameOf(record) ?? []),
  };
}

const BLANK: Environment = { python: '', packages: [], notes: '' };
