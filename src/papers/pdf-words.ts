const LONGEST_WORD = 60;

/** All words of a document, in small letters, to tell hyphens of words from those of line ends. */
export function vocabularyOf(lines: readonly string[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const line of lines) {
    // What a line end cuts is no word.
    for (const word of line
      .replace(/\S+-$/, '')
      .toLowerCase()
      .match(/[\p{L}\d]+(?:-[\p{L}\d]+)*/gu) ?? [])
      for (const part of withParts(word)) words.add(part);
  }
  return words;
}

/** A word of parts, and its neighbouring parts: "of-the" of "state-of-the-art". */
function withParts(word: string): string[] {
  const parts = word.split('-');
  return [word, ...parts.slice(1).map((part, index) => `${parts[index] ?? ''}-${part}`)];
}

/** Joins lines of a paragraph. A hyphen at a line end stays where the document writes the word with one elsewhere. */
export function joinLines(lines: readonly string[], vocabulary: ReadonlySet<string>): string {
  let text = '';
  for (const line of lines) {
    const cut = /([\p{L}\d]+(?:-[\p{L}\d]+)*)-$/u.exec(text.slice(-LONGEST_WORD));
    const rest = /^[\p{L}\d]+/u.exec(line)?.[0];
    if (cut?.[1] === undefined || rest === undefined) text += text === '' ? line : ` ${line}`;
    else if (keepsHyphen(cut[1], rest, vocabulary)) text += line;
    else text = text.slice(0, -1) + line;
  }
  return text;
}

function keepsHyphen(start: string, end: string, vocabulary: ReadonlySet<string>): boolean {
  const [first, last] = [start.toLowerCase(), end.toLowerCase()];
  const lastOfFirst = first.split('-').at(-1) ?? first;
  if (vocabulary.has(`${lastOfFirst}-${last}`)) return true;
  if (vocabulary.has(first + last) || vocabulary.has(lastOfFirst + last)) return false;
  if (!/^\p{Ll}/u.test(end)) return true;
  // "global-" and "local" are words by themselves; "competi-" and "tive" are none.
  const areWords = vocabulary.has(lastOfFirst) && vocabulary.has(last);
  return areWords && (first.includes('-') || Math.min(first.length, last.length) > 3);
}
