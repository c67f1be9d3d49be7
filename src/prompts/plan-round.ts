import type { AnswerRecord } from '../domain/records.ts';
import type { SubplanContext } from '../domain/subplan-context.ts';
import type { NamedTarget, SubplanAnswer } from '../domain/subplan-answer.ts';
import { MOST_LINES, MOST_OWNED } from '../domain/round-work.ts';
import { AMENDMENT_KINDS, amendmentsOf } from './amend-blueprint.ts';
import { pathOf } from './blueprint-records.ts';
import { renderBlueprint, renderLedgerRow } from './blueprint-text.ts';
import { paperMessages, stanceMessage } from './paper-prefix.ts';
import type { Prompt } from './prompt.ts';
import { field, listField, readRecords, RECORD_FORMAT } from './record-answer.ts';
import { subplanMessage } from './subplan-message.ts';

const KINDS = {
  ...Object.fromEntries(
    Object.entries(AMENDMENT_KINDS).map(([kind, fields]) => [kind, [...fields, 'because']]),
  ),
  round: ['rationale', 'wrong'],
  target: ['reason', 'instructions', 'integration', 'after', 'check'],
};

const OUTPUT_TOKENS = 16_000;

const TASK = `# Your task: plan the next round
The repository is written in rounds. You choose what the next one writes and repairs, and tell each colleague who gets a file what they cannot see for themselves. The plan below was made before any code; the state further below was read off the code. The plan follows the code, not the other way round.

Choose
- The targets that close most unmet requirements by weight, and whose contracts are all known: what a target needs is written, or is a target that comes before it. At most about ${MOST_LINES} expected lines or ${MOST_OWNED} owned requirements a round; configuration, package and documentation files are free, a repair counts a quarter. Fill a round when you can: files that do not need each other are written side by side.
- Which file already written is now wrong? Look at the differences, the findings, the notes, the doubts and the last rounds before you answer. A written file may be chosen for repair without any finding, with the reason: an interface that its callers cannot use, a key that two files spell differently, a unit or shape that does not fit, a demand of the paper that it misses.
- Root causes first: where one file does not parse or lacks a name, its callers' findings follow from it. A finding that two repairs of its file did not close has its cause elsewhere, or the plan is wrong: read both attempts, then repair the other file, or amend.
- A change of an interface and its callers belong into one round: name the file and every caller that has to follow. A repair that breaks a caller is undone.
- Prefer closing the gaps between files to new helpers.
- Of a family (four adapters on one base): the base, then one exemplar, then its siblings.

Tell each target
- What follows from the code as it is: names, arguments, keys, shapes and files of others that it must use, exactly as they are spelled in memory; who calls it and with what; where the paper's words (by place) decide what is easily done wrong; what an earlier attempt did wrong.
- Not what the plan's entry and the paper's spans say already: your colleague sees both, and the code of the files it needs; but no other target's instructions, and no file of this round that comes later: name no sibling as a model. The code is never to name our ids (R12, eq-u1).
- Checks: a few things that must hold of the file afterwards, each in one sentence about that file. "static" where a linter or parser sees it, "run" where only running does, "model" where somebody has to read the code.

Amend the plan only where the code or the paper demands it: an interface that turned out otherwise, a file that is not needed or is missing, an owner that cannot meet its requirement. Each amendment with its reason. Who takes a requirement over from a retired file?`;

const FORMAT = `${RECORD_FORMAT}

@round
rationale: why these targets now, in two or three sentences
wrong: which written file is now wrong, and how; or none
@target path/of/the/file.py
reason: why now; for a written file, what is wrong with it
instructions: what it must do that plan and paper do not say
integration: names, keys, shapes, files and callers that it must fit, as they really are
after: path/of/another/target.py
(only where it must come after a target that it does not need)
check: model | train() logs the validation error every 50 steps, not at the end only
check: static | build_sum(name, dim) is defined
(one line a check; static, run or model)

The targets in the order in which they are to be written. To amend the plan, write besides, each with a field "because": @file path (for a planned file only the fields that change; a new path adds a file), @retire path, @own R7, R9 path, @value key, @experiment id, @method name, @environment, @requirement; as in the plan. For example:

@file src/data.py
signatures:
  def load(name: str, split: str) -> Dataset
because: run.py and eval.py both need the split
@retire src/extra.py
because: its two functions are in src/data.py now
@own R7 src/data.py
because: src/extra.py had it

@done

If nothing is worth doing, answer with @round and @done alone.`;

/** A_sub: the next round from the whole state. What stays the same from round to round stands first. */
export function planRound(context: SubplanContext): Prompt<SubplanAnswer> {
  const { blueprint } = context;
  const plan = [
    `# The plan\n${renderBlueprint(blueprint)}`,
    `# The ledger of requirements\n${blueprint.requirements.map(renderLedgerRow).join('\n')}`,
  ].join('\n\n');
  return {
    schemaId: 'plan-round/1',
    messages: [
      ...(context.isPaperShown ? paperMessages(context.paper) : [stanceMessage()]),
      { role: 'user', content: `${TASK}\n\n${FORMAT}` },
      { role: 'user', content: plan },
      { role: 'user', content: subplanMessage(context) },
    ],
    maxOutputTokens: OUTPUT_TOKENS,
    read: (reply) => readRecords(reply, KINDS, answerOf),
  };
}

function answerOf(records: readonly AnswerRecord[], problems: string[]): SubplanAnswer {
  const round = records.find(({ kind }) => kind === 'round');
  const wrong = round ? field(round, 'wrong') : '';
  const rationale = round ? field(round, 'rationale') : '';
  const isNone = wrong === '' || /^none\b/i.test(wrong);
  const reasons = records.flatMap((record): [string, string][] => {
    const because = record.fields['because'] ?? '';
    const words = record.rest.trim().split(/\s+/);
    return because === '' ? [] : [[pathOf(words.at(-1) ?? ''), because]];
  });
  return {
    rationale: isNone ? rationale : `${rationale}\nWrong now: ${wrong}`.trim(),
    targets: records.filter(({ kind }) => kind === 'target').map(targetOf),
    changes: amendmentsOf(records, problems),
    reasons: new Map(reasons),
  };
}

function targetOf(record: AnswerRecord): NamedTarget {
  return {
    path: pathOf(record.rest),
    reason: field(record, 'reason'),
    instructions: field(record, 'instructions'),
    integrationNotes: field(record, 'integration'),
    after: listField(record, 'after').map(pathOf),
    checks: field(record, 'check').split('\n').flatMap(checkOf),
  };
}

/** `model | sentence`; a line without its word is for the model. */
function checkOf(line: string): NamedTarget['checks'] {
  const [, word, rest] = /^\s*(?:-\s*)?(?:(static|run|model)\s*\|\s*)?(.*?)\s*$/.exec(line) ?? [];
  const text = (rest ?? '').slice(0, MOST_CHECK).trim();
  if (text === '' || /^none\.?$/i.test(text)) return [];
  return [{ text, decidedBy: word === 'static' || word === 'run' ? word : 'model' }];
}

/** A check is a sentence. */
const MOST_CHECK = 400;
