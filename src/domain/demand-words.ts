/** Words that carry no demand of their own. */
const FILLER = new Set(
  (
    'a an and are as at be by each every for from in into is it its of on or that the their then this to use uses ' +
    'used using via was were which with must should shall implement implements implemented apply applied set compute ' +
    'computed provide support all code model method'
  ).split(' '),
);

/** Of a demand or quote, for comparison: longer ones are told apart by less. */
const MOST_CHARACTERS = 1000;

/** Words in lower case; numbers, hyphenated names and identifiers whole, and with a mark `^`, as are those in `names`. */
export function wordsOf(text: string, names: ReadonlySet<string>): Set<string> {
  const words =
    plainNumbers(text.slice(0, MOST_CHARACTERS)).match(/[\p{L}\p{N}_][\p{L}\p{N}_.+-]*/gu) ?? [];
  return new Set(
    words
      .map((word) => word.replace(/[.+-]+$/, ''))
      .filter((word) => !FILLER.has(word.toLowerCase()))
      .map((word) => {
        if (isName(word)) return `^${numberOr(word.toLowerCase())}`;
        const root = stem(word.toLowerCase());
        return names.has(root) ? `^${root}` : root;
      }),
  );
}

/** Whether a word tells one thing from another: a number, or a name with a digit, a mark or a capital inside. */
function isName(word: string): boolean {
  return /\p{N}|[_.-]|.\p{Lu}/u.test(word);
}

/** One spelling and one form of a word: optimiser and optimizers are the same. */
export function stem(word: string): string {
  if (word.length <= 4) return word;
  return word.replace(/is(?=ers?$|es?$|ed$|ing$|ation)/, 'iz').replace(/(?:ing|ed|es|s)$/, '');
}

/** `10,000` and `$3 \times 10^{-4}$` as code writes them. */
function plainNumbers(text: string): string {
  return text
    .replace(/(\d),(?=\d{3}(?!\d))/g, '$1')
    .replace(/(\d)\s*\\times\s*10\^\{?(-?\d{1,3})\}?/g, '$1e$2');
}

function numberOr(word: string): string {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/.test(word) ? `${Number(word)}` : word;
}

/** A value `lr=3e-4` as key and value, in one form. */
export function sidesOf(value: string): { key: string; value: string } {
  const text = plainNumbers(value.toLowerCase().replace(/\(inferred[^()]{0,200}\)/g, ''));
  const parts = text.replace(/\s+/g, '').split('=');
  const right = parts.pop() ?? '';
  return { key: parts.join('='), value: numberOr(right) };
}
