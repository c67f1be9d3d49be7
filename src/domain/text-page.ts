/** Some whole lines of a text. */
export interface TextPage {
  /** The first and last line that are shown, from 1; `to` is below `from` where nothing is. */
  readonly from: number;
  readonly to: number;
  /** Lines of the whole text. */
  readonly total: number;
  readonly text: string;
  /** Whether its one line is too long and was cut. */
  readonly isLineCut: boolean;
}

/** The lines of a text from `from` to `to` (both from 1, by default all) that fit `maxCharacters`, one at least. */
export function pageOf(
  text: string,
  { from = 1, to, maxCharacters }: { from?: number; to?: number; maxCharacters: number },
): TextPage {
  const lines = text.replace(/\n$/, '').split('\n');
  const total = text === '' ? 0 : lines.length;
  const wanted = lines.slice(from - 1, Math.min(to ?? total, total));
  const [first] = wanted;
  if (first === undefined) return { from, to: from - 1, total, text: '', isLineCut: false };
  if (first.length > maxCharacters)
    return { from, to: from, total, text: first.slice(0, maxCharacters), isLineCut: true };
  let left = maxCharacters;
  const shown = wanted.findIndex((line) => (left -= line.length + 1) < -1);
  const fitting = shown === -1 ? wanted : wanted.slice(0, Math.max(1, shown));
  const end = from + fitting.length - 1;
  return { from, to: end, total, text: fitting.join('\n'), isLineCut: false };
}
