/** Lines shown around each change. */
const CONTEXT_LINES = 3;
/** Above this many pairs of lines the two texts are not compared: the work grows with their product. */
const MOST_PAIRS = 4_000_000;

interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * What changed from one text to another, as lines behind ` `, `-` or `+`, unchanged stretches left out. Undefined where
 * the texts are too long to be compared.
 */
export function lineDiff(before: string, after: string): string | undefined {
  const [old, now] = [before.trimEnd().split('\n'), after.trimEnd().split('\n')];
  if (old.length * now.length > MOST_PAIRS) return undefined;
  const edits = editsBetween(old, now);
  const shown = edits.map((_, index) =>
    edits
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(({ mark }) => mark !== ' '),
  );
  const lines = edits.flatMap(({ mark, text }, index) => {
    if (shown[index]) return [`${mark}${text}`];
    return shown[index - 1] && index < edits.length - 1 ? ['…'] : [];
  });
  return lines.join('\n');
}

function editsBetween(old: readonly string[], now: readonly string[]): Edit[] {
  const common = commonLengths(old, now);
  const width = now.length + 1;
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone = '', come = ''] = [old[i], now[j]];
    if (i < old.length && j < now.length && gone === come) {
      edits.push({ mark: ' ', text: gone });
      [i, j] = [i + 1, j + 1];
    } else if (
      j >= now.length ||
      (i < old.length && (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      edits.push({ mark: '-', text: gone });
      i += 1;
    } else {
      edits.push({ mark: '+', text: come });
      j += 1;
    }
  }
  return edits;
}

/** For each pair of places, how many lines the two texts have in common, in order, from there on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
  return common;
}
