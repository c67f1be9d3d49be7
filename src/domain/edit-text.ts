import type { Edit } from './tool-use.ts';

/** An edited text, or why nothing of it was done, a sentence for each edit that does not fit. */
export type EditedText =
  | { readonly kind: 'edited'; readonly text: string }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** Places of a text that is there too often which are named. */
const MOST_PLACES = 5;
const QUOTED_CHARACTERS = 120;
/** Lines that share less than this with what was looked for are no help. */
const LEAST_LIKENESS = 0.4;

/**
 * Replaces pieces of a text, one after the other, each of which must stand in it exactly once by then; all or none.
 * Line ends of Windows are read as plain ones. A problem says how often the piece was there, and the nearest line.
 */
export function editText(text: string, edits: readonly Edit[]): EditedText {
  const problems: string[] = [];
  let edited = text;
  for (const [index, edit] of edits.entries()) {
    const search = plainEnds(edit.search);
    const [first, second] = placesOf(edited, search);
    if (first !== undefined && second === undefined)
      edited =
        edited.slice(0, first) + plainEnds(edit.replace) + edited.slice(first + search.length);
    else problems.push(`Edit ${index + 1} of ${edits.length}: ${misfit(edited, search)}`);
  }
  return problems.length > 0 ? { kind: 'problems', problems } : { kind: 'edited', text: edited };
}

function placesOf(text: string, search: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + 1)) places.push(at);
  return places;
}

function misfit(text: string, search: string): string {
  const places = placesOf(text, search);
  if (places.length > 0) {
    const lines = places.slice(0, MOST_PLACES).map((at) => text.slice(0, at).split('\n').length);
    const others = places.length > MOST_PLACES ? ', …' : '';
    return `its text is there ${places.length} times (lines ${lines.join(', ')}${others}); send more of the lines around the one that is meant.`;
  }
  const near = nearestLine(text, search);
  const hint = near
    ? ` The nearest is line ${near.line}: \`${near.text}\`${near.isSameButForSpace ? ' (the same but for spaces)' : ''}.`
    : '';
  return `its text is there 0 times; it must be copied to the letter, with its spaces.${hint}`;
}

interface NearLine {
  readonly line: number;
  readonly text: string;
  readonly isSameButForSpace: boolean;
}

/** The line that is most like the first line looked for that holds anything. */
function nearestLine(text: string, search: string): NearLine | undefined {
  const wanted = search.split('\n').find((line) => line.trim() !== '') ?? '';
  const pairs = pairsOf(wanted);
  let best: NearLine | undefined;
  let likeness = LEAST_LIKENESS;
  for (const [index, line] of text.split('\n').entries()) {
    const isSameButForSpace = spaceless(line) === spaceless(wanted);
    const like = isSameButForSpace ? 1 : shared(pairs, pairsOf(line));
    if (spaceless(line) === '' || like <= likeness) continue;
    likeness = like;
    best = { line: index + 1, text: line.trim().slice(0, QUOTED_CHARACTERS), isSameButForSpace };
  }
  return best;
}

/** Of both sets of pairs of letters, the share that both hold. */
function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((pair) => other.has(pair)).length;
  return both / Math.max(1, one.size + other.size - both);
}

/** Neighbouring letters of a line, up to a length that says enough. */
function pairsOf(line: string): Set<string> {
  const text = spaceless(line).slice(0, 300);
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)),
  );
}

function spaceless(line: string): string {
  return line.replace(/\s+/g, '');
}

function plainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
