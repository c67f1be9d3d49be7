import { wholeExperiment, wholeFile } from '../domain/amend-blueprint.ts';
import type { FilesDraft, SetupDraft } from '../domain/blueprint-draft.ts';
import type { AnswerRecord } from '../domain/records.ts';
import {
  experimentOf,
  fileOf,
  PLAN_KINDS,
  planOf,
  SETUP_KINDS,
  valueOf,
} from './blueprint-records.ts';
import { renderSetup } from './blueprint-text.ts';
import { planningMessages, type PlanningInput } from './planning-messages.ts';
import type { Prompt, Reading } from './prompt.ts';
import { readRecords, RECORD_FORMAT } from './record-answer.ts';

const TASK = `# Your task: the experiment matrix and the files
Plan the repository. Each file will be written by a colleague who sees the paper, your entry for it, and the files it needs; who cannot ask back; and who is held to the requirements that the file owns. A second colleague has drafted configuration values with their keys, method cards and package versions; they stand above. Name a key exactly as it is spelled there, and say in each entry which keys the file reads: a key that no entry reads, and a key that is read and not there, are faults. Where you miss a key, add it behind the files as @value. Do not repeat values.

**Matrix first.** One @experiment for each experiment, table, ablation and study in scope, so that every reported cell is a combination of its axes' values. Where combinations are ragged, split the experiment. A table, figure or verdict that is made from another experiment's cells has no axis: one command without placeholders, which reads the cells that exist and names those that are missing. Then for each:
- axes (their values go into the entries of the files that handle them as well): dataset or environment, method (ours, every ablation, every baseline by the paper's name), varied values. All values, those of an inferred key too where it can decide a claim's direction (noise, amount of data, horizon, unit of a measure), spelled as the command line will take them: methods and datasets as the cards and keys above spell them, else by the list of names that ends the concepts, in small letters, words joined by _;
- measures: every quantity that the paper reports or plots, when it is taken (throughout training where a curve or a process is shown), its unit, and the results file it goes to;
- command: runs one cell from the repository's root, each axis a placeholder. Running all cells is the job of reproduce.sh.

**Then files.** Rules:
- As many cohesive files as the paper needs and no more: 20 to 40 for a full paper, 6 to 15 for a small one. 100 to 450 lines of code each, at most 25 owned requirements. What would stay under 60 lines goes into the file that uses it; no file does everything.
- Names that tell a reader which part of the paper is inside (reward_model.py, train_baselines.py; not utils.py, core.py). No notebooks, no Makefile. No folder whose name contains venv, env as a dot folder, wandb or git.
- One runner for each experiment, which reads its settings, takes every axis as an argument, has --smoke and --seed, and writes its measures. All runs take the seeds of the settings; none has a seed of its own unless a key above says so. What one program writes and another reads has its format in both entries: file, columns, one row per what (seed included).
- Settings are YAML files (JSON where the paper allows no packages). Whatever the paper varies or tunes is a key that reaches its use.
- Registries for methods, datasets or environments, and models: selectable by the names on the axes, an unknown name being an error that lists the known ones.
- Every baseline and every ablation stands by its name on an axis, in a registry and in the entry of the file that implements it, with code that does what its own paper says. Numbers copied from the paper are no substitute.
- Measuring is code: a logger that records during the process, timers, memory, evaluation at the stated intervals, aggregation over seeds, the derived numbers, tables and plots of the paper.
- Every row of results carries its seed, its device and what identifies its settings; whoever compares rows refuses to mix settings, and times from different devices. Headers state the unit, and the base of a logarithm. Settings are identified by the values that were resolved for the row's own method and dataset, so that another method's value invalidates nothing.
- Claims are data: one list of records (text, place, the paper's value, which measured number, tolerance) and one loop that checks direction and size and handles a missing cell in one place. A verdict is "undecided" with one seed where the paper's own equal runs differ by more, and in a smoke run, or where it rests on a fit whose quality is poor (each fit reports its quality). What contradicts itself in the paper is prose in README; no code compares the paper with the paper.
- Pre-training of whatever is not downloadable is a runner of its own.
- The default path uses the paper's data, environments and sizes, and fails with instructions when they are absent. Data that the paper prints (points, a table of constants) are a small CSV file with an entry of its own, not text in signatures or code. Tiny sizes exist behind --smoke only, with fixtures under tests/. No silent fallback anywhere: no dummy data, no except ImportError with a stand-in, no random metric.
- Tests: a few files with the numeric checks of the algorithms' analysis and one smoke test for each runner: each equation once by hand, and what must agree by the paper's mathematics (a function and its gradient, a map and its inverse, what is conserved) held against each other for every registered variant; no test of messages or of every switch, about 300 lines in all.
- requirements.txt, README.md (one way to install; maps every section, equation, algorithm, table and figure to file and function; says which choices decide which claims; a time that nobody measured is called a guess), reproduce.sh (all cells; --smoke).
- The repository's root is the import root: src/a/b.py is imported as src.a.b, from everywhere. Commands start from the root: a runner in a folder as a module (python -m folder.runner), one in the root by its name.

**Each entry:**
- purpose: one line, at most 90 characters.
- needs: every planned file whose code it imports, whose content it reads, or whose results it reads. No cycles. Shared types and interfaces come first.
- owns: ids of the requirements that this file must meet. Every id in scope has an owner (of rows that an @same joins, the first); one that spans files goes to the file where it is decided.
- signatures: the public functions and classes with arguments, types, defaults, and tensor shapes in a comment. They are contracts: callers are written against them, often at the same time. Whatever another file calls must stand here, and whatever one file passes the other must take; fields of rows, keys of dictionaries and names of claims that a caller or a test uses are part of it. What a signature needs to know, each key that the entry names included, comes from its arguments or from a file that it needs.
- instructions: what to do and what not to forget: equations by id, order of updates, edge cases, keys read, names registered, measures logged and when, experiments served (E1, …), what differs from the cited parent. No code that the paper makes obvious; all detail that it does not. At most 250 words, 400 for the hardest files.

Before you finish, audit yourself: any id in scope without an owner, any table or figure without an experiment, any cell that no command runs, any measure that no file logs, any baseline without a file, any argument that reaches no use, any call without a signature? Repair it in the entries.`;

const FORMAT = `${RECORD_FORMAT}

@plan
title: of the repository
summary: what is reproduced, in one paragraph
dataflow: how data moves through the files, from download to table, in a few lines
validation: numeric checks, what the smoke run of each experiment does and how long it may take, what results would confirm the paper

@experiment E1
title: …
question: what it asks; the claimed answer with its direction
axis: method | name | name
axis: dataset | name | name
measure: name | when | unit | results file
measure: …
command: python -m folder.runner --method {method} --dataset {dataset}

@file path/from/the/root.py
purpose: …
needs: path, path
owns: R3, R7
lines: 180
signatures:
  …
instructions:
  …

@value a.key.that.is.missed
value: …
requirement: …
reason: inferred: …
@done`;

/** The larger half of the first draft, asked for once the other one is there. */
export function draftFiles(input: PlanningInput, setup: SetupDraft): Prompt<FilesDraft> {
  return {
    schemaId: 'draft-files/1',
    messages: [
      ...planningMessages(input),
      { role: 'user', content: `${renderSetup(setup)}\n\n${TASK}\n\n${FORMAT}` },
    ],
    maxOutputTokens: 32_000,
    read: readDraft,
  };
}

function readDraft(reply: string): Reading<FilesDraft> {
  const reading = readRecords(reply, { ...PLAN_KINDS, ...SETUP_KINDS }, draftOf);
  if (reading.kind === 'answer' || reading.rest?.files.length !== 0) return reading;
  // Without any file it is no part of a plan.
  return { kind: 'problems', problems: reading.problems };
}

function draftOf(records: readonly AnswerRecord[], problems: string[]): FilesDraft {
  const ofKind = (kind: string): AnswerRecord[] => records.filter((each) => each.kind === kind);
  const plans = ofKind('plan').map(planOf);
  const blank = { title: '', summary: '', dataFlow: '', validation: '' };
  const files = ofKind('file').flatMap((record) => fileOf(record, problems) ?? []);
  if (files.length === 0)
    problems.push('The answer plans no file: it needs one @file record each.');
  return {
    plan: plans.reduce<FilesDraft['plan']>((all, each) => ({ ...all, ...each }), blank),
    experiments: ofKind('experiment')
      .flatMap((record) => experimentOf(record, problems) ?? [])
      .map((each) => wholeExperiment(each)),
    files: files.map((each) => wholeFile(each)),
    configuration: ofKind('value').flatMap((record) => valueOf(record) ?? []),
  };
}
