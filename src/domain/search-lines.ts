/** A line that a search found; `line` counts from 1. */
export interface LineHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a search found: the lines that hold the most of its words, and which words those hold at most. */
export interface LineSearch {
  readonly hits: readonly LineHit[];
  /** How many of the words each of the lines holds. */
  readonly held: number;
  readonly words: number;
}

/** Longer lines are data, not code, and looked at up to here. */
const LINE_CHARACTERS = 2_000;
const MOST_WORDS = 12;

/**
 * The lines that hold the most of the words, definitions first, then in the order of the files. A word is found
 * anywhere in a line, in any case unless it holds a capital; `*` in it stands for anything. Linear in the texts: what a
 * model asks for can keep nobody busy, as a regular expression could.
 */
export function searchLines(files: ReadonlyMap<string, string>, query: string): LineSearch {
  const given = new Set(query.split(/\s+/).filter((word) => /[^*]/.test(word)));
  const words = [...given].slice(0, MOST_WORDS);
  let held = 1;
  let hits: LineHit[] = [];
  for (const [path, text] of files)
    for (const [index, line] of text.split('\n').entries()) {
      const shown = line.slice(0, LINE_CHARACTERS);
      const lower = shown.toLowerCase();
      const count = words.filter((word) => holds(shown, lower, word)).length;
      if (count < held) continue;
      if (count > held) hits = [];
      held = count;
      if (count > 0) hits.push({ path, line: index + 1, text: shown.trimEnd() });
    }
  const ranked = [...hits.filter(isDefinition), ...hits.filter((hit) => !isDefinition(hit))];
  return { hits: ranked, held: hits.length > 0 ? held : 0, words: words.length };
}

/** The pieces between stars, each after the one before. */
function holds(line: string, lower: string, word: string): boolean {
  const text = word === word.toLowerCase() ? lower : line;
  let at = 0;
  for (const piece of word.split('*')) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return true;
}

function isDefinition({ text }: LineHit): boolean {
  return /^\s*(?:async\s+def|def|class)\s/.test(text);
}
