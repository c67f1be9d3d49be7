import assert from 'node:assert/strict';
import type { Problem } from '../../src/domain/finding.ts';
import type { Sighting } from './measure.ts';

const LEAST_FOUND = 0.95;
/** Kinds of which too little is found yet; what is missing is counted in ARCHITECTURE.md. */
const YOUNG_KINDS = [
  ...['dropped-value', 'hard-coded', 'ignored-input', 'same-split'],
  ...['silent-fallback', 'undefined-key', 'unresolved-name', 'unused-key'],
];
/** Below the promise, and so that nothing of it is lost. */
const LEAST_FOUND_OF_YOUNG = 0.6;
/** What one cause may be told as, whatever it breaks. */
const MOST_FINDINGS = 4;

/** Throws, with each fault that was missed, where fewer were found than promised. */
export function assertFound(sightings: readonly Sighting[]): void {
  const isYoung = ({ fault }: Sighting): boolean => YOUNG_KINDS.includes(fault.kinds[0] ?? '');
  assertShare(sightings.filter(isYoung), LEAST_FOUND_OF_YOUNG);
  assertShare(
    sightings.filter((one) => !isYoung(one)),
    LEAST_FOUND,
  );
}

/** Throws, with each fault that was missed, where less than a share of them was found. */
export function assertShare(sightings: readonly Sighting[], least: number): void {
  const missed = sightings.filter(({ isFound }) => !isFound);
  const share = 1 - missed.length / sightings.length;
  assert.ok(share >= least, `found ${percent(share)}; missed:\n${missed.map(told).join('\n')}`);
}

/** Throws, with what was said, where one fault was told as more findings than a reader can see through. */
export function assertBrief(sightings: readonly Sighting[]): void {
  const long = sightings.filter(({ problems }) => problems.length > MOST_FINDINGS);
  assert.equal(long.length, 0, long.map(told).join('\n'));
}

function told({ fault, problems }: Sighting): string {
  return [`${fault.name} (${fault.kinds.join(' or ')})`, ...problems.map(lineOf)].join('\n    ');
}

/** A problem as one line. */
export function lineOf({ kind, path, message }: Problem): string {
  return `${kind} ${path}: ${message}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
