import { fit, widthOf } from './text-width.ts';

/** Rows in columns as wide as their widest cell, two spaces between; numbers to the right. Cut to `columns`. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? ''))));
  const isNumber = head.map((_, index) =>
    rows.every((row) => /^[\d.,:–\s]*$/.test(row[index] ?? '')),
  );
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, index) => padded(cell, widths[index] ?? 0, isNumber[index] === true))
      .join('  ')
      .trimEnd();
  return all.map((row) => fit(lineOf(row), columns));
}

function padded(cell: string, width: number, isRight: boolean): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(cell)));
  return isRight ? gap + cell : cell + gap;
}
