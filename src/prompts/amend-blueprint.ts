import type { Environment } from '../domain/blueprint.ts';
import type { BlueprintAmendments, Objection, PlanText } from '../domain/blueprint-draft.ts';
import type { AnswerRecord } from '../domain/records.ts';
import {
  environmentOf,
  experimentOf,
  fileOf,
  methodOf,
  pathOf,
  PLAN_KINDS,
  planOf,
  requirementIds,
  SETUP_KINDS,
  valueOf,
} from './blueprint-records.ts';
import { LEDGER_FIELDS, LEDGER_KINDS, requirementOf } from './extract-requirements.ts';
import { draftMessages, type DraftInput } from './planning-messages.ts';
import type { Prompt } from './prompt.ts';
import { readRecords, RECORD_FORMAT } from './record-answer.ts';

/** The records that amend a plan. */
export const AMENDMENT_KINDS = {
  ...PLAN_KINDS,
  ...SETUP_KINDS,
  requirement: [...LEDGER_KINDS.requirement, 'owner'],
  retire: [],
  own: [],
};

const TASK = `# Your task: amend the plan
The plan is yours. A colleague attacked it; code audited it. Both may be wrong: judge each objection and each line of the audit against the paper. What is right, repair in the plan; what is wrong, leave alone.

- Repair the whole of it: a missing baseline is a file, a registered name, an owner, perhaps a card and values, and a line in the entry of its runner and of whoever builds the table.
- After your changes every requirement in scope has an owner, every cell a command, every measure a file that logs it, every value a key that an entry reads.
- Contracts: where a signature changes, change the entries of its callers.
- Signatures, comments in them and instructions must not keep a name that your changes have removed.
- At most 40 files, 450 lines each. Extend a file before you add one; split one before it owns more than 25.
- Do not rewrite what is sound. Every record that you do not write stays as it is.`;

const FORMAT = `${RECORD_FORMAT}

Write only what changes, in the records of the plan: @plan, @experiment id, @file path, @value key, @method name, @environment. A record with a new id, path, key or name is added. For an existing @plan, @experiment, @file or @environment give only the fields that change, each whole: the field replaces the old one. Lines that only come to what a @file has stand in two fields of its record instead, and spare you the old text:

@file path/of/the/file.py
add-instructions: …
add-signatures: …

An existing @value or @method is replaced as a whole. Besides:

@own R7, R9 path/of/the/file.py
(the file owns these too; its other ids stay, and so do other owners)
@retire path/of/a/file.py
(not needed; give its requirements to others with @own. A key of a value or the name of a method card can be retired likewise; to rename a key, retire it and add the new one)
@requirement
${LEDGER_FIELDS}
owner: path/of/the/file.py
(a demand of the paper that the ledger lacks, quoted from the paper above; it gets its id from code)
@done

If nothing has to change, answer @done alone.`;

/** The planner's answer to the attack. */
export function amendBlueprint(
  input: DraftInput,
  objections: readonly Objection[],
): Prompt<BlueprintAmendments> {
  const content = [
    `# Objections\n${objections.length > 0 ? objections.map(renderObjection).join('\n') : 'None.'}`,
    TASK,
    FORMAT,
  ].join('\n\n');
  return {
    schemaId: 'amend-blueprint/1',
    messages: [...draftMessages(input), { role: 'user', content }],
    maxOutputTokens: 32_000,
    read: (reply) => readRecords(reply, AMENDMENT_KINDS, amendmentsOf),
  };
}

function renderObjection({ severity, what, remedy }: Objection, index: number): string {
  return `${index + 1}. ${severity}: ${what}${remedy ? `\n   Remedy: ${remedy}` : ''}`;
}

/** Amendments from the records that hold some; other records are passed over. */
export function amendmentsOf(
  records: readonly AnswerRecord[],
  problems: string[],
): BlueprintAmendments {
  const ofKind = (kind: string): AnswerRecord[] => records.filter((each) => each.kind === kind);
  const merged = <Part extends object>(kind: string, read: (record: AnswerRecord) => Part): Part =>
    ofKind(kind)
      .map(read)
      .reduce<Part>((all, each) => ({ ...all, ...each }), read(NO_RECORD));
  return {
    plan: merged<Partial<PlanText>>('plan', planOf),
    files: ofKind('file').flatMap((record) => fileOf(record, problems) ?? []),
    retired: ofKind('retire').map(({ rest }) => rest.trim()),
    owners: ofKind('own').flatMap(({ rest }) => ownersOf(rest)),
    requirements: ofKind('requirement').flatMap(addedOf),
    experiments: ofKind('experiment').flatMap((record) => experimentOf(record, problems) ?? []),
    configuration: ofKind('value').flatMap((record) => valueOf(record) ?? []),
    methodCards: ofKind('method').flatMap((record) => methodOf(record, problems) ?? []),
    environment: merged<Partial<Environment>>('environment', environmentOf),
  };
}

function addedOf(record: AnswerRecord): BlueprintAmendments['requirements'] {
  const found = requirementOf(record);
  return found ? [{ found, owner: pathOf(record.fields['owner'] ?? '') }] : [];
}

const NO_RECORD: AnswerRecord = { kind: '', rest: '', fields: {}, line: 0 };

/** `R3, R7 src/model.py`: the path is the last word. */
function ownersOf(rest: string): { requirement: string; path: string }[] {
  const words = rest.trim().split(/\s+/);
  const path = pathOf(words.at(-1) ?? '');
  return requirementIds(words.slice(0, -1).join(' ')).map((requirement) => ({ requirement, path }));
}
