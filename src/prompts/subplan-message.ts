import { firstNames } from '../domain/first-sentences.ts';
import { isBlocking, quotesSymbol, whyItMatters, type Finding } from '../domain/finding.ts';
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

/** Names in one sentence. */
const MOST_NAMES = 12;

/**
 * The state of the repository as it is now: what differs from round to round. Signatures stand first, as a round only
 * adds to them: what the last round was sent stays the beginning.
 */
export function subplanMessage(context: SubplanContext): string {
  const { round, room, standings } = context;
  const { remembered } = context;
  return [
    requestsText(context.userRequests).trim(),
    part(
      '# Memory: the signatures of what is written, read off the code',
      remembered.filter((file) => file.interface !== '').map(signaturesText),
    ),
    `# The state before round ${round}\nRead off the repository by code, unless it says otherwise. It is newer than the plan: where they differ, this is what is there. A file of which only "written" is said was written once, and no repair is used.`,
    part('## Files', standings.map(standingLine)),
    part('## What the last rounds did', context.lastRounds.map(pastText)),
    part(
      '## Where code and plan differ',
      context.differences.map((sentence) => `- ${sentence}`),
    ),
    part('## Open findings', findingLines(context)),
    part('## Repairs that were tried on them', context.attempts.map(attemptText)),
    part(
      '## Requirements that no sound file meets yet, heaviest first',
      context.unmet.map(unmetLine),
    ),
    part(
      '## Memory: of files near to what may be done now, what signatures do not tell (notes by a colleague)',
      remembered
        .filter(({ facts, notes, doubts }) => `${facts}${notes}${doubts}` !== '')
        .map(aboutText),
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
    ...(status === 'planned' ? [`${lines} lines, owns ${owned}`] : []),
    ...(status !== 'planned' && revision !== 1 ? [`revision ${revision}`] : []),
    ...(waitsFor.length > 0 ? [`waits for ${waitsFor.join(', ')}`] : []),
    ...(status === 'planned' && waitsFor.length === 0 ? ['ready'] : []),
    ...(repairs > 0
      ? [repairsLeft === 0 ? 'no repairs left' : `repairs left: ${repairsLeft}`]
      : []),
    ...(callers.length > 0 ? [`imported by ${firstNames(callers, MOST_NAMES)}`] : []),
  ];
  return `- ${path}: ${facts.join('; ')}`;
}

function pastText({ round, sentences }: PastRound): string {
  return `- Round ${round}: ${sentences.join(' ')}`;
}

/** Why a kind matters is said once. */
function findingLines({ findings, untold }: SubplanContext): string[] {
  const kinds = new Set<Finding['kind']>();
  const lines = findings.map((finding) => {
    const why = kinds.has(finding.kind) ? '' : ` Why it matters: ${whyItMatters(finding.kind)}`;
    kinds.add(finding.kind);
    return findingLine(finding, why);
  });
  if (untold.length === 0) return lines;
  const files = firstNames([...new Set(untold)], MOST_NAMES);
  return [...lines, `And ${untold.length} more, in ${files}.`];
}

function findingLine(finding: Finding, why: string): string {
  const { kind, path, symbol, message, remedy, triedInRounds } = finding;
  const rounds = triedInRounds.join(', ');
  const repairs =
    triedInRounds.length > 1
      ? `Repairs in rounds ${rounds} did not close it: the cause may be in another file.`
      : `A repair in round ${rounds} did not close it.`;
  const tried = rounds === '' ? '' : ` ${repairs}`;
  const weight = isBlocking(finding) ? 'blocking' : 'warning';
  return `- ${path}: ${weight}, ${kind}${symbol && !quotesSymbol(kind) ? ` at ${symbol}` : ''}: ${message}${why} Remedy: ${remedy}${tried}`;
}

function attemptText({ path, round, change, reasons, isKept }: Attempt): string {
  const end = isKept ? 'kept, but the finding stayed' : 'undone or refused';
  const why = reasons.map((reason) => `\n- ${reason}`).join('');
  return `### ${path} in round ${round} (${end})${why}\n${fenced(change)}`;
}

function unmetLine({ path, ids, weight }: UnmetGroup): string {
  return `- ${path ?? 'nobody owns'}: ${ids.join(', ')} (weight ${weight})`;
}

function signaturesText({ path, interface: signatures }: RememberedFile): string {
  return `### ${path}\n${fenced(signatures)}`;
}

function aboutText({ path, facts, notes, doubts }: RememberedFile): string {
  return [
    `### ${path}`,
    ...(facts === '' ? [] : [facts]),
    ...(notes === '' ? [] : [`notes: ${notes}`]),
    ...(doubts === '' ? [] : [`its writer doubts:\n${doubts}`]),
  ].join('\n');
}
