import { ContextTooLong } from '../domain/errors.ts';
import { estimateTokens } from '../domain/paper-text.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { RequirementVerdict } from '../domain/verification.ts';
import { batchQuestions, halved, type Batch } from '../domain/verify-batches.ts';
import { weighClaim } from '../domain/weigh-claim.ts';
import type { Reading } from '../prompts/prompt.ts';
import type { VerifyAnswer } from '../prompts/verify-requirements.ts';
import { settledAll } from './settled-all.ts';
import type { Repository, VerifyQuestion } from './verify-questions.ts';

/** What of the paper a call sees: all of it, or the places of its demands. */
export type Sees = 'paper' | 'spans';

/** What the labels of some calls begin with, and what of the paper they see. */
export interface Place {
  readonly label: string;
  readonly sees: Sees;
}

/** Asks one batch. */
export type AskBatch = (
  batch: Batch<VerifyQuestion>,
  label: string,
  sees: Sees,
) => Promise<Reading<VerifyAnswer>>;

/** A question that an answer left open, and whether to ask it again. */
export interface LeftOpen {
  readonly question: VerifyQuestion;
  readonly why: string;
  /** Files that the verifier wants to see; null where asking again helps nothing. */
  readonly needs: readonly string[] | null;
}

/** What was decided, and what was not. */
export interface Decided {
  readonly requirements: readonly RequirementVerdict[];
  readonly checks: readonly Verdict[];
  readonly open: readonly LeftOpen[];
}

const MOST_WHY = 400;

/** Asks all questions, in batches side by side, and what is left open once more, with the files that were missed. */
export async function askVerifier(
  ask: AskBatch,
  questions: readonly VerifyQuestion[],
  repository: Repository,
  { label, sees }: Place,
): Promise<Decided> {
  const first = await askAll(ask, questions, repository, { label, sees });
  const again = first.open.flatMap(({ question, why, needs }): VerifyQuestion[] =>
    needs === null ? [] : [askedAgain(question, { why, needs, repository })],
  );
  if (again.length === 0) return first;
  const second = await askAll(ask, again, repository, { label: `${label}again/`, sees });
  return {
    requirements: [...first.requirements, ...second.requirements],
    checks: [...first.checks, ...second.checks],
    open: [...first.open.filter(({ needs }) => needs === null), ...second.open],
  };
}

function askedAgain(
  question: VerifyQuestion,
  {
    why,
    needs,
    repository,
  }: { readonly why: string; readonly needs: readonly string[]; readonly repository: Repository },
): VerifyQuestion {
  const further = needs.filter((path) => repository.texts.has(path));
  const files = [...new Set([...question.files, ...further])];
  return question.kind === 'check' ? { ...question, files } : { ...question, files, earlier: why };
}

async function askAll(
  ask: AskBatch,
  questions: readonly VerifyQuestion[],
  repository: Repository,
  { label, sees }: Place,
): Promise<Decided> {
  const batches = batchQuestions(questions, (path) =>
    estimateTokens(repository.texts.get(path) ?? ''),
  );
  const parts = await settledAll(
    batches.map((batch, index) =>
      askBatch(ask, batch, repository, { label: `${label}${index + 1}`, sees }),
    ),
  );
  return united(parts);
}

/** One call; where it does not fit the window, one with the paper's spans for the paper, then several for less. */
async function askBatch(
  ask: AskBatch,
  batch: Batch<VerifyQuestion>,
  repository: Repository,
  { label, sees }: Place,
): Promise<Decided> {
  try {
    return decidedBy(await ask(batch, label, sees), batch, repository);
  } catch (error) {
    if (!(error instanceof ContextTooLong)) throw error;
    const parts = sees === 'paper' ? [batch] : smaller(batch);
    if (parts.length === 0)
      return decidedBy({ kind: 'problems', problems: [error.message] }, batch, repository);
    const decided: Decided[] = [];
    for (const [index, part] of parts.entries()) {
      const under = { label: `${label}/${index + 1}`, sees: 'spans' as const };
      decided.push(await askBatch(ask, part, repository, under));
    }
    return united(decided);
  }
}

/** Half the questions each; a single question with the nearer half of its files. */
function smaller(batch: Batch<VerifyQuestion>): Batch<VerifyQuestion>[] {
  const [question] = batch.questions;
  if (batch.questions.length > 1 || question === undefined) return halved(batch);
  const files = question.files.slice(0, Math.floor(question.files.length / 2));
  return files.length === 0 ? [] : [{ questions: [{ ...question, files }], files }];
}

function decidedBy(
  reading: Reading<VerifyAnswer>,
  batch: Batch<VerifyQuestion>,
  repository: Repository,
): Decided {
  if (reading.kind === 'problems') {
    const why = reading.problems.join(' ');
    const open = batch.questions.map((question) => ({ question, why, needs: null }));
    return { requirements: [], checks: [], open };
  }
  return united(
    batch.questions.map((question) => decide(question, reading.answer, batch, repository)),
  );
}

function decide(
  question: VerifyQuestion,
  answer: VerifyAnswer,
  batch: Batch<VerifyQuestion>,
  repository: Repository,
): Decided {
  const nothing = { requirements: [], checks: [], open: [] };
  const leftOpen = (why: string, needs: readonly string[] = []): Decided => ({
    ...nothing,
    open: [{ question, why, needs }],
  });
  if (question.kind === 'check') {
    const found = answer.checks.find(({ number }) => number === question.number);
    if (found === undefined) return leftOpen('It was not decided.');
    const { isMet, why } = found;
    return { ...nothing, checks: [{ ...question.check, isMet, why: why.slice(0, MOST_WHY) }] };
  }
  const claim = answer.claims.find(({ id }) => id === question.key);
  if (claim === undefined) return leftOpen('The answer had no record on it.');
  const texts = new Map(batch.files.map((path) => [path, repository.texts.get(path) ?? '']));
  const paths = [
    ...new Set([...repository.texts.keys(), ...(question.owner ? [question.owner] : [])]),
  ];
  const weighed = weighClaim(claim, { texts, paths, owner: question.owner });
  if (weighed.kind === 'undecided') return leftOpen(weighed.why, weighed.needs);
  return {
    ...nothing,
    requirements: [
      { ...weighed.verdict, read: readFor(question, weighed.verdict.where, repository) },
    ],
  };
}

/** What a verdict rests on: the files that decide the question, and those that it names. */
function readFor(
  { files }: VerifyQuestion,
  where: RequirementVerdict['where'],
  { tree }: Repository,
): RequirementVerdict['read'] {
  return [...new Set([...files, ...where.map(({ path }) => path)])].flatMap((path) => {
    const file = tree[path];
    return file === undefined ? [] : [{ path, file }];
  });
}

function united(parts: readonly Decided[]): Decided {
  return {
    requirements: parts.flatMap(({ requirements }) => requirements),
    checks: parts.flatMap(({ checks }) => checks),
    open: parts.flatMap(({ open }) => open),
  };
}
