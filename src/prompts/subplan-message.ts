import { isBlocking, whyItMatters, type Finding } from '../domain/finding.ts';
import type {
  Attempt,
  FileStanding,
  PastRound,
  RememberedFile,
  SubplanContext,
} from '../domain/subplan-context.ts';
import type { UnmetGroup } from '../domain/unmet-requirements.ts';
import { fenced } from './fenced.ts';
import { requestsText } from './paper-prefix.ts';

/** The state of the repository as it is now: what differs from round to round. */
export function subplanMessage(context: SubplanContext): string {
  const { round, room, standings } = context;
  return [
    requestsText(context.userRequests).trim(),
    `# The state before round ${round}\nRead off the repository by code, unless it says otherwise. It is newer than the plan: where they differ, this is what is there.`,
    part('## Files', standings.map(standingLine)),
    part('## What the last rounds did', context.lastRounds.map(pastText)),
    part(
      '## Where code and plan differ',
      context.differences.map((sentence) => `- ${sentence}`),
    ),
    part('## Open findings', context.findings.map(findingLine)),
    part('## Repairs that were tried on them', context.attempts.map(attemptText)),
    part(
      '## Requirements that no sound file meets yet, heaviest first',
      context.unmet.map(unmetLine),
    ),
    part(
      '## Memory: what is written offers (signatures by code; notes by a colleague, near files only)',
      context.remembered
        .filter((file) => `${file.interface}${file.facts}${file.notes}` !== '')
        .map(rememberedText),
    ),
    `Plan round ${round} now. ${room === 0 ? 'No file can be added.' : `At most ${room} files can be added.`}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function part(heading: string, items: readonly string[]): string {
  return items.length === 0 ? `${heading}\nNone.` : `${heading}\n${items.join('\n')}`;
}

function standingLine(standing: FileStanding): string {
  const { path, status, revision, repairs, repairsLeft, lines, owned, waitsFor, callers } =
    standing;
  const facts = [
    status === 'planned' && revision === 0 && repairs > 0 ? 'planned, never accepted' : status,
    ...(status === 'planned' ? [`${lines} lines, owns ${owned}`] : [`revision ${revision}`]),
    ...(waitsFor.length > 0 ? [`waits for ${waitsFor.join(', ')}`] : []),
    ...(status === 'planned' && waitsFor.length === 0 ? ['ready'] : []),
    ...(repairs > 0 || status !== 'planned'
      ? [repairsLeft === 0 ? 'no repairs left' : `repairs left: ${repairsLeft}`]
      : []),
    ...(callers.length > 0 ? [`imported by ${callers.join(', ')}`] : []),
  ];
  return `- ${path}: ${facts.join('; ')}`;
}

function pastText({ round, sentences }: PastRound): string {
  return `- Round ${round}: ${sentences.join(' ')}`;
}

function findingLine(finding: Finding): string {
  const { kind, path, symbol, message, remedy, triedInRounds } = finding;
  const tried =
    triedInRounds.length === 0
      ? ''
      : ` Repairs of ${path} in rounds ${triedInRounds.join(', ')} did not close it${triedInRounds.length > 1 ? ': the cause may be in another file' : ''}.`;
  const weight = isBlocking(finding) ? 'blocking' : 'warning';
  return `- ${path}: ${weight}, ${kind}${symbol && kind !== 'unmet-check' ? ` at ${symbol}` : ''}: ${message} Why it matters: ${whyItMatters(kind)} Remedy: ${remedy}${tried}`;
}

function attemptText({ path, round, change, reasons, isKept }: Attempt): string {
  const end = isKept ? 'kept, but the finding stayed' : 'undone or refused';
  const why = reasons.map((reason) => `\n- ${reason}`).join('');
  return `### ${path} in round ${round} (${end})${why}\n${fenced(change)}`;
}

function unmetLine({ path, ids, weight }: UnmetGroup): string {
  return `- ${path ?? 'nobody owns'}: ${ids.join(', ')} (weight ${weight})`;
}

function rememberedText(file: RememberedFile): string {
  const { path, facts, notes } = file;
  return [
    `### ${path}`,
    ...(file.interface === '' ? [] : [fenced(file.interface)]),
    ...(facts === '' ? [] : [facts]),
    ...(notes === '' ? [] : [`notes: ${notes}`]),
  ].join('\n');
}
