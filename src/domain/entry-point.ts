/** Longest line shown of one flag. */
const MOST_CHARACTERS = 160;

/** How a file is started, read off its text: its flags as it declares them; null where it is not started at all. */
export function entryPointOf(text: string): readonly string[] | null {
  const flags = [...text.matchAll(/\.add_argument\(/g)].map(({ index, 0: call }) =>
    argumentsFrom(text, index + call.length),
  );
  const isStarted = /^if\s+\(?\s*__name__\s*==\s*["']__main__["']/m.test(text);
  return isStarted || flags.length > 0 ? flags : null;
}

/** What stands between a parenthesis that has just been opened and the one that closes it, on one line. */
function argumentsFrom(text: string, start: number): string {
  let depth = 1;
  let quote = '';
  let end = start;
  for (; end < text.length && end - start < 2_000; end += 1) {
    const character = text[end] ?? '';
    if (quote !== '') {
      if (character === '\\') end += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (depth === 0) break;
  }
  const line = text.slice(start, end).replace(/\s+/g, ' ').replace(/,\s*$/, '').trim();
  return line.length <= MOST_CHARACTERS ? line : `${line.slice(0, MOST_CHARACTERS - 1)}…`;
}
