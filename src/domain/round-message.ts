import type { Problem } from './finding.ts';
import { describeChange, type RoundChange } from './round-change.ts';

/** Lines of one list in a message; the rest is counted. */
const MOST_LINES = 40;

/**
 * The message of a round's commit: what it changed, and in the last line the state that it was made from. Nothing of
 * the clock or the machine: with the same state it is the same message.
 */
export function roundMessage(change: RoundChange, stateSha256: string): string {
  const { round, written, repaired, removed, notKept, opened, resolved } = change;
  const blocks = [
    `Round ${round}: ${describeChange(change)}`,
    list('Written', written),
    list('Repaired', repaired),
    list('Removed', removed),
    list('Tried in vain', notKept),
    list('Findings opened', opened.map(lineOf)),
    list('Findings resolved', resolved.map(lineOf)),
    `State: ${stateSha256}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** The state that a commit was made from, or undefined where the message is none of ours. */
export function stateOfMessage(message: string): string | undefined {
  return /^State: ([0-9a-f]{64})$/m.exec(message)?.[1];
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const rest = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => `- ${line}`);
  return [`${title}:`, ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n');
}

function lineOf({ path, message }: Problem): string {
  return `${path}: ${message.replace(/\s+/g, ' ').trim()}`;
}
