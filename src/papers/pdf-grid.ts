import type { Segment } from './pdf-segments.ts';

const MOST_COLUMNS_OF_TEXT = 200;

/** The cells of a table as lines of text in which each stands below its heading. */
export function gridOf(segments: readonly Segment[]): string {
  return linesOf(segments, characterWidth(segments), 2);
}

function linesOf(segments: readonly Segment[], width: number, leastGap: number): string {
  const left = Math.min(...segments.map(({ x0 }) => x0));
  const lines = cellRows(segments).map((cells) => {
    let line = '';
    for (const { text, x0 } of cells) {
      const at = Math.min(MOST_COLUMNS_OF_TEXT, Math.round((x0 - left) / width));
      const gap = line === '' ? 0 : leastGap;
      line = line.padEnd(Math.max(at, line.length + gap)) + text;
    }
    return line.trimEnd();
  });
  return lines.join('\n');
}

/** The steps of an algorithm, indented as they are. */
export function stepsOf(segments: readonly Segment[]): string {
  const sizes = segments.map(({ size }) => size).toSorted((a, b) => a - b);
  const letter = (sizes[Math.floor(sizes.length / 2)] ?? 10) * 0.5;
  return linesOf(segments, letter, 1);
}

function cellRows(segments: readonly Segment[]): Segment[][] {
  const rows: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1);
    const first = row?.[0];
    const isSame =
      first && Math.abs(first.y - segment.y) < Math.min(first.size, segment.size) * 0.4;
    if (row && isSame) row.push(segment);
    else rows.push([segment]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.x0 - b.x0));
}

/** Wide enough that no cell pushes the next one out of its place, as far as that fits a line. */
function characterWidth(segments: readonly Segment[]): number {
  const widths = segments
    .filter(({ text }) => text.length >= 3)
    .map(({ text, x0, x1 }) => (x1 - x0) / text.length)
    .toSorted((a, b) => a - b);
  return Math.max(2.5, widths[Math.floor(widths.length * 0.2)] ?? 4.2);
}
