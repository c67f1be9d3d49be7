import type { RequirementVerdict } from './verification.ts';

/** Where a verifier says that it found something: a line, from 1, and the code that stands there. */
export interface ClaimedPlace {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

/** What a verifier says of one demand, before it is held against the files. */
export interface Claim {
  readonly id: string;
  readonly verdict: RequirementVerdict['verdict'] | 'undecided';
  readonly expected: string;
  readonly found: string;
  readonly where: readonly ClaimedPlace[];
  /** Empty where it says that no command reaches it. */
  readonly reachedBy: string;
  readonly fix: string;
  readonly fixIn: string;
  /** Why it could not decide; empty otherwise. */
  readonly why: string;
  /** Further files that it wants to see. */
  readonly needs: readonly string[];
}

/** A claim that stands on what the files hold, without the contents that were read; or why it is none. */
export type Weighed =
  | { readonly kind: 'verdict'; readonly verdict: Omit<RequirementVerdict, 'read'> }
  | {
      readonly kind: 'undecided';
      readonly id: string;
      readonly why: string;
      readonly needs: readonly string[];
    };

/** The files that a claim is held against: those that its maker saw, and all that exist or are planned. */
export interface Evidence {
  readonly texts: ReadonlyMap<string, string>;
  readonly paths: readonly string[];
  /** Where a fix belongs that names no file of these. */
  readonly owner: string | null;
}

const MOST_PLACES = 6;
const MOST_TEXT = 600;

/**
 * Holds a claim against the files. A path that is almost one is corrected, and so is a line whose code stands elsewhere
 * in the file. What is said to be there, and cannot be found, decides nothing; nor does code that is met and that no
 * command reaches.
 */
export function weighClaim(claim: Claim, evidence: Evidence): Weighed {
  const { id, verdict, expected, found, reachedBy, fix } = claim;
  const needs = claim.needs.flatMap((path) => pathNear(path, evidence.paths) ?? []);
  const undecided = (why: string): Weighed => ({ kind: 'undecided', id, why, needs });
  if (verdict === 'undecided') return undecided(claim.why || 'It gave no reason.');
  const places = claim.where.map((place) => placeIn(place, evidence));
  const where = places.filter((place) => place !== null).slice(0, MOST_PLACES);
  if (verdict !== 'missing' && where.length === 0) {
    const named = claim.where.map(({ path, line }) => `${path}:${line}`).join(', ');
    return undecided(
      named === ''
        ? `It was called ${verdict} without a place in the code.`
        : `What was named as its place (${named}) does not hold the code that was quoted.`,
    );
  }
  if (verdict === 'met' && reachedBy === '')
    return undecided('It was called met, and no command that reaches it was named.');
  const isMet = verdict === 'met';
  return {
    kind: 'verdict',
    verdict: {
      id,
      verdict,
      expected: cut(expected),
      found: cut(found),
      where,
      reachedBy: cut(reachedBy),
      fix: isMet ? '' : cut(fix),
      fixIn: isMet
        ? null
        : (pathNear(claim.fixIn, evidence.paths) ?? evidence.owner ?? where[0]?.path ?? null),
    },
  };
}

/** The line that a place means in the files that were seen, or null. */
function placeIn(
  { path: named, line, code }: ClaimedPlace,
  { texts }: Evidence,
): { path: string; line: number } | null {
  const path = pathNear(named, [...texts.keys()]);
  if (path === undefined) return null;
  const lines = (texts.get(path) ?? '').split('\n');
  const wanted = squeezed(code);
  if (wanted === '') return line >= 1 && line <= lines.length ? { path, line } : null;
  const hits = lines.flatMap((text, index) => (agrees(squeezed(text), wanted) ? [index + 1] : []));
  const nearest = hits.sort((one, other) => Math.abs(one - line) - Math.abs(other - line))[0];
  return nearest === undefined ? null : { path, line: nearest };
}

/** Whether a line of a file is the one that was quoted, or the first of several that were. */
function agrees(line: string, wanted: string): boolean {
  if (line === '') return false;
  return line.includes(wanted) || (line.length >= MOST_OF_A_LINE && wanted.startsWith(line));
}

/** A quote may go on beyond its line; shorter lines than this begin too many quotes. */
const MOST_OF_A_LINE = 12;

function squeezed(text: string): string {
  return text
    .replace(/^[\s`]+|[\s`]+$/g, '')
    .replace(/…$|\.\.\.$/, '')
    .replace(/\s+/g, '');
}

/** The path that is meant: itself, or the only one that ends in it, or whose end it is. */
function pathNear(named: string, paths: readonly string[]): string | undefined {
  const plain = named.trim().replace(/^[`./]+|`+$/g, '');
  if (plain === '') return undefined;
  if (paths.includes(plain)) return plain;
  const near = paths.filter((path) => path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`));
  return near.length === 1 ? near[0] : undefined;
}

function cut(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT - 1)}…` : text;
}
