import type { Objection } from '../domain/blueprint-draft.ts';
import type { AnswerRecord } from '../domain/records.ts';
import { draftMessages, type DraftInput } from './planning-messages.ts';
import type { Prompt } from './prompt.ts';
import { field, readRecords, RECORD_FORMAT } from './record-answer.ts';

const KINDS = { objection: ['severity', 'what', 'remedy'] };

/** More would hide the ones that matter. */
const MOST = 40;

const TASK = `# Your task: attack this plan
You did not write it, and you would be pleased to show that it fails. Plans lose by what they forget, far more than by what they get wrong. Go through the *paper* and look for it in the plan, not the other way round:
1. Each table, row by row, column by column; each figure, series by series; each ablation; each appendix experiment in scope: which command runs this cell?
2. Each baseline: which file implements it, from what knowledge? A card without a file, a file without a card, a baseline that only plots published numbers, a variant that differs from another in name alone?
3. Each measured quantity: which file logs it, at the stated times, *during* the process? Timings, memory, seeds, aggregation, the derived numbers of the tables?
4. Each "can be selected", "we vary", "for different values of": which argument, and does it reach its use?
5. Each equation: does the owner's entry have the sign, normalisation, stop-gradient and order right? Each constant: does its key have the paper's value, for this dataset?
6. Each sentence of each supplement.
7. Contracts: take each call that a runner must make and follow it through the signatures. Arguments that nobody passes, results that nobody returns, types and shapes that do not fit, configuration keys that entries read and no value defines, values that no entry reads, names on an axis that no registry holds.
8. Running it: package versions that do not exist or do not fit each other, calls those versions do not have, data that cannot be got as planned, a derivative or an operation that the framework lacks, memory or time beyond reason, a smoke path that changes the real path, a silent fallback.
9. Validity: evaluation on training data, unequal budgets among compared methods, leaked normalisation statistics, one seed where the paper has several, a run with a seed of its own that no key gives it, rows of different settings or devices in one comparison, a claim checked for direction but not for size.
10. Open readings that were settled silently; keys with one legal value; code that no command reaches.
11. Code's audit of the plan compares words, so that a line of it may be wrong: which are real? The parts that were passed over: which of them demand something that the ledger lacks?

State only what you have checked against paper and plan; quote the place. No praise, no taste, no request for more documentation. The most harmful first, at most 25, each in at most 60 words.`;

const FORMAT = `${RECORD_FORMAT}

@objection
severity: blocking (a result could not be reproduced or the code cannot run), important (a requirement would be missed), minor
what: what is wrong, with ids, paths and the place in the paper
remedy: the smallest change to the plan that repairs it, naming files and signatures; where the ledger lacks a demand, the demand and its owner
@done

If nothing is wrong, answer @done alone.`;

/** A second mind on the draft, given what code already found and corrected. */
export function attackBlueprint(input: DraftInput): Prompt<readonly Objection[]> {
  return {
    schemaId: 'attack-blueprint/1',
    messages: [...draftMessages(input), { role: 'user', content: `${TASK}\n\n${FORMAT}` }],
    maxOutputTokens: 16_000,
    read: (reply) => readRecords(reply, KINDS, objectionsOf),
  };
}

function objectionsOf(records: readonly AnswerRecord[]): Objection[] {
  return records.slice(0, MOST).flatMap((record) => {
    const what = field(record, 'what') || record.rest;
    if (what === '') return [];
    const severity = field(record, 'severity').toLowerCase();
    return [
      {
        severity: severity.startsWith('blocking')
          ? 'blocking'
          : severity.startsWith('minor')
            ? 'minor'
            : 'important',
        what,
        remedy: field(record, 'remedy'),
      },
    ];
  });
}
