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

/** The table without as many of the columns `leastNeeded`, in this order, as it takes to cut none of the others. */
export function fittingTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number,
  leastNeeded: readonly string[],
): string[] {
  const whole = tableOf(head, rows, Infinity);
  const [first, ...others] = leastNeeded;
  if (first === undefined || whole.every((line) => widthOf(line) <= columns))
    return tableOf(head, rows, columns);
  const isKept = (_: string, index: number): boolean => head[index] !== first;
  return fittingTable(
    head.filter(isKept),
    rows.map((row) => row.filter(isKept)),
    columns,
    others,
  );
}

function padded(cell: string, width: number, isRight: boolean): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(cell)));
  return isRight ? gap + cell : cell + gap;
}
