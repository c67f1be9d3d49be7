import { formatAmount, type Unit } from './budget.ts';
import { code, foldedWhenLong, section, table } from './markdown.ts';
import type { RunFacts } from './run-facts.ts';
import { spendByFile, spendByStage, type Spend } from './spend.ts';

/** What was spent, of what, and how sure that is. */
export function accountLine({ account, models, later }: RunFacts): string {
  const { unit, cap, spent, maybePaid, calls, reused } = account;
  const of = cap === null ? 'without a cap' : `of ${formatAmount(cap, unit)}`;
  const unsure =
    maybePaid > 0
      ? `, of which ${formatAmount(maybePaid, unit)} may have been paid in calls whose end was not seen`
      : '';
  const names = [...new Set(models.map(({ model }) => model))].map(code).join(', ');
  const found = later ? '' : `, replies found in the journal: ${reused}`;
  return `${later ? 'Spent up to then' : 'Spent'}: ${formatAmount(spent, unit)} ${of}${unsure}. Model calls: ${calls}${found}. Models: ${names}.`;
}

/** How long it took, from the run's making to the last that is known of it. */
export function timeLine(facts: RunFacts): string {
  const { createdAt, updatedAt, paper, run, mode, outcome, later } = facts;
  const took = Date.parse(updatedAt) - Date.parse(createdAt);
  const span = later ? 'up to then' : outcome === null ? 'so far' : 'in all';
  const how = mode === 'fast' ? 'fast mode (no model read over what was written)' : 'deepplan mode';
  return `Run ${code(run)} on ${code(paper)} in ${how}, started ${minuteOf(createdAt)}, took ${duration(took)} ${span}, waits included.`;
}

/** Money and time by stage and by file, as the journal holds them. */
export function renderSpend(facts: RunFacts): string {
  const { account, createdAt } = facts;
  const stages = spendByStage(facts);
  if (stages.length === 0) return '';
  const files = spendByFile(facts);
  const head = ['calls', 'tokens in (cached)', 'tokens out', 'spent', 'maybe paid', 'model time'];
  const byStage = table(
    ['stage', ...head, 'from', 'to'],
    stages.map((spend) => [
      spend.name,
      ...cellsOf(spend, account.unit),
      since(createdAt, spend.startedAt),
      since(createdAt, spend.endedAt),
    ]),
  );
  const byFile = table(
    ['file', ...head],
    files.map((spend) => [code(spend.name), ...cellsOf(spend, account.unit)]),
  );
  const note =
    'Model time is added up over calls side by side; "from" and "to" are since the start. Maybe paid: calls whose end was not seen, at their worst case.';
  const folded = files.length === 0 ? '' : `\n\n${foldedWhenLong('By file', files.length, byFile)}`;
  return section('Spend and time', `${note}\n\n${byStage}${folded}`);
}

function cellsOf(spend: Spend, unit: Unit): string[] {
  const { calls, inputTokens, cachedTokens, outputTokens, spent, maybePaid, modelMs } = spend;
  const number = (value: number) => value.toLocaleString('en-US');
  return [
    `${calls}`,
    `${number(inputTokens)} (${number(cachedTokens)})`,
    number(outputTokens),
    formatAmount(spent, unit),
    maybePaid > 0 ? formatAmount(maybePaid, unit) : '',
    duration(modelMs),
  ];
}

function since(from: string, to: string): string {
  return duration(Date.parse(to) - Date.parse(from));
}

function minuteOf(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1 h 02 min`, `3 min 20 s`, `4.2 s`. */
function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
