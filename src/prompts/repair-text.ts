import type { FileContext } from '../domain/file-context.ts';
import { quotesSymbol, whyItMatters, type Finding } from '../domain/finding.ts';
import { lineDiff } from '../domain/line-diff.ts';
import { fenced } from './fenced.ts';

type Repair = Pick<
  FileContext,
  'findings' | 'currentText' | 'lastAttempt' | 'lastReasons' | 'assignment'
>;

/** A last attempt up to this long is shown whole; a longer one by what it changed. */
const SHORT_CHARACTERS = 6_000;

/** What a repair is told: the findings, the present text, and what was tried last; empty for a first write. */
export function repairText(repair: Repair): string {
  const { findings, currentText, lastAttempt } = repair;
  if (findings.length === 0 && currentText === null && lastAttempt === null) return '';
  return [
    headText(repair),
    ...(currentText === null ? [] : [`## Its present content\n${fenced(currentText)}`]),
    ...(lastAttempt === null ? [] : [attemptText(lastAttempt, repair)]),
  ].join('\n\n');
}

function headText({ findings, currentText, assignment }: Repair): string {
  if (findings.length > 0) return findingsText(findings, currentText !== null);
  if (!assignment || currentText === null) return '# It was tried before';
  return `# This is a repair\nDo what this round asks of it, above. Change only what that needs${KEEPING}`;
}

/** What every change of a written file keeps to. */
const KEEPING =
  ': the rest of the file stays as it is, to the letter. A repair that loses a name which others use or the plan names, or that brings a new fault, is undone. If it must make the file less than half as long, add a line "@shrinks" with the reason before @done.';

function findingsText(findings: readonly Finding[], isWritten: boolean): string {
  const rules = isWritten
    ? `Close each finding at its cause, here in this file. Change only what the findings need${KEEPING}`
    : 'Nothing of it was ever accepted. Close each finding at its cause.';
  return `# This is a repair\n${rules}\n${findings.map(renderFinding).join('\n')}`;
}

function renderFinding(finding: Finding): string {
  const { id, kind, symbol, message, remedy, triedInRounds } = finding;
  const tried =
    triedInRounds.length === 0
      ? ''
      : ` Repairs in rounds ${triedInRounds.join(', ')} did not close it: go another way.`;
  const at = symbol && !quotesSymbol(kind) ? ` at ${symbol}` : '';
  return `- ${id} ${kind}${at}: ${message} Why it matters: ${whyItMatters(kind)} Remedy: ${remedy}${tried}`;
}

function attemptText(attempt: string, { currentText, lastReasons }: Repair): string {
  const reasons = lastReasons.map((reason) => `- ${reason}`).join('\n');
  const why = reasons === '' ? '' : `\nWhy:\n${reasons}`;
  const isShort = attempt.length <= SHORT_CHARACTERS;
  const diff = isShort || currentText === null ? undefined : lineDiff(currentText, attempt);
  if (diff !== undefined && diff.length < attempt.length)
    return `## What the last attempt changed, which was refused or undone (- present line, + its line)${why}\n${fenced(diff)}`;
  if (isShort || currentText !== null)
    return `## The last attempt, which was refused or undone${why}\n${fenced(attempt)}`;
  return `## How the last attempt began, which was refused${why}\n${fenced(attempt.slice(0, SHORT_CHARACTERS))}`;
}
