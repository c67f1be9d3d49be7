import { z } from 'zod';
import { Experiment } from './experiment.ts';
import { FindingKind } from './finding.ts';
import { Role } from './message.ts';
import { Requirement } from './requirement.ts';
import { Account, OutcomeName } from './run-record.ts';

const Amounts = z.strictObject({
  calls: z.int(),
  inputTokens: z.int(),
  cachedTokens: z.int().describe('Part of `inputTokens` that came from the prompt cache.'),
  outputTokens: z.int(),
  spent: z.number().describe('In `account.unit`; includes `maybePaid`.'),
  maybePaid: z.number().describe('Worst cases of calls whose end nobody saw.'),
  modelMs: z.number().describe('From asking to the whole reply, added up over calls side by side.'),
});

/**
 * `.deeprepro/run.json` in an exported repository: what the report says, for programs. Fields are added, never renamed or
 * given another meaning, within a `schemaVersion`. It names no place on this machine, no address and no key.
 */
export const RunDocument = z.strictObject({
  schemaVersion: z.literal(1),
  product: z.literal('deeprepro'),
  run: z.string(),
  paper: z.strictObject({ file: z.string(), title: z.string() }),
  state: z.enum(['running', 'ended']),
  outcome: OutcomeName.nullable().describe('Null while the run has not ended.'),
  later: z
    .strictObject({ round: z.int(), outcome: OutcomeName.nullable() })
    .nullable()
    .describe('Where this is an earlier round: the newest one, and how the run ended after all.'),
  failure: z.string().describe('Why it failed; empty otherwise.'),
  runLevel: z.enum(['R0', 'R1', 'R2', 'R3', 'R4', 'R5']).describe('How far the code was proved.'),
  startedAt: z.string().describe('ISO 8601, UTC.'),
  lastChangeAt: z.string().describe('ISO 8601, UTC.'),
  round: z.int().describe('The round that files, findings and statuses are of.'),
  models: z.array(z.strictObject({ role: Role, model: z.string() })),
  account: Account,
  files: z.array(
    z.strictObject({
      path: z.string(),
      purpose: z.string(),
      status: z.enum(['planned', 'written', 'broken', 'retired']),
      sha256: z.string().nullable().describe('Of the content; null where there is none.'),
      bytes: z.int().nullable(),
      contentsAccepted: z.int(),
      repairs: z.int(),
      requirements: z.array(z.string()).describe('Ids that it is to meet.'),
    }),
  ),
  requirements: z.array(
    z.strictObject({
      ...Requirement.shape,
      owners: z.array(z.string()).describe('Paths.'),
      deviation: z
        .string()
        .describe('The chosen value that overrides it, and why; empty when it is followed.'),
    }),
  ),
  experiments: z.array(
    z.strictObject({
      ...Experiment.shape,
      cells: z.int().describe('How many combinations of the axes there are.'),
      runners: z.array(z.string()).describe('Paths of the files that the command starts.'),
    }),
  ),
  inferred: z
    .array(z.strictObject({ key: z.string(), value: z.string(), reason: z.string() }))
    .describe("Configuration values chosen without the paper's word."),
  doubts: z
    .array(z.strictObject({ path: z.string(), text: z.string() }))
    .describe('What the model was unsure of when it wrote the file.'),
  findings: z.array(
    z.strictObject({
      id: z.string(),
      kind: FindingKind,
      blocking: z.boolean(),
      path: z.string(),
      symbol: z.string(),
      message: z.string(),
      whyItMatters: z.string(),
      remedy: z.string(),
      openedInRound: z.int(),
      resolvedInRound: z.int().nullable().describe('Null while it is open.'),
      triedInRounds: z.array(z.int()),
    }),
  ),
  rounds: z.array(
    z.strictObject({
      round: z.int(),
      written: z.array(z.string()),
      repaired: z.array(z.string()),
      removed: z.array(z.string()),
      notKept: z.array(z.string()).describe('Tried, and refused or rolled back.'),
      findingsOpened: z.array(z.string()).describe('Ids.'),
      findingsResolved: z.array(z.string()).describe('Ids.'),
    }),
  ),
  spend: z.strictObject({
    stages: z.array(z.strictObject({ stage: z.string(), ...Amounts.shape })),
    files: z.array(z.strictObject({ path: z.string(), ...Amounts.shape })),
  }),
  notices: z.array(z.string()),
});
export type RunDocument = Readonly<z.infer<typeof RunDocument>>;
