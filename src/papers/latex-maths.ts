import { referenceTo } from './blocks.ts';
import { argumentAt, sourceOf } from './latex-source.ts';
import type { LatexSource } from './latex-source.ts';

/** Maths as it stood, but for labels (returned) and wrappers that only make sense in text. */
export type Maths = Readonly<{ latex: string; labels: readonly string[] }>;

const DISPLAY_ENVIRONMENTS = new Set(
  (
    'equation align gather multline eqnarray displaymath flalign alignat dmath dgroup subequations ' +
    'IEEEeqnarray'
  ).split(' '),
);
/** Environments whose name the maths needs: without it `&` and `\\` would have no meaning. */
const KEPT_AROUND = new Set(
  'align gather multline eqnarray flalign alignat IEEEeqnarray'.split(' '),
);

/** Whether this environment is a display equation. */
export function isDisplayMaths(environment: string): boolean {
  return DISPLAY_ENVIRONMENTS.has(environment.replace(/\*$/, ''));
}

/** The maths between two tokens. */
export function mathsBetween(source: LatexSource, from: number, to: number): Maths {
  const pieces: string[] = [];
  const labels: string[] = [];
  let start = from;
  for (let index = from; index < to; index += 1) {
    const token = source.tokens[index];
    if (token?.kind === 'paragraph') {
      // TeX allows no empty line in maths, and a Markdown block would end at one.
      pieces.push(sourceOf(source, start, index), '\n');
      start = index + 1;
    }
    if (token?.kind !== 'command' || !DROPPED_IN_MATHS.has(token.text)) continue;
    pieces.push(sourceOf(source, start, index));
    start = index + 1;
    if (token.text === 'ensuremath' || token.text === 'xspace') continue;
    const argument = argumentAt(source, index + 1, to);
    if (argument === undefined) continue;
    const label = sourceOf(source, argument.from, argument.to).trim();
    if (token.text === 'label') labels.push(label);
    else pieces.push(referenceTo(label));
    start = argument.next;
    index = start - 1;
  }
  pieces.push(sourceOf(source, start, to));
  return {
    latex: pieces
      .join('')
      .replace(/^[ \t]*\n/gm, '')
      .trim(),
    labels,
  };
}

const DROPPED_IN_MATHS = new Set(['label', 'ensuremath', 'xspace', 'ref', 'eqref']);

/** One equation of a display environment. */
export type DisplayEquation = Maths & Readonly<{ isNumbered: boolean }>;

/**
 * Environments each of whose rows has a number of its own; without `alignat` and `IEEEeqnarray`, whose column arguments
 * stand before the first row and are needed by each.
 */
const NUMBERED_BY_ROW = new Set('align gather eqnarray flalign'.split(' '));
/** Environments that LaTeX does not number, besides those with a star. */
const NEVER_NUMBERED = new Set(['displaymath', 'dmath', 'dgroup']);

/**
 * The equations of a display environment, each in the environment where its maths needs it. Rows with numbers of
 * their own are apart, so that a reference to one of them says which; a row without a number belongs to the next.
 */
export function equationsOf(
  name: string,
  source: LatexSource,
  from: number,
  to: number,
): DisplayEquation[] {
  const base = name.replace(/\*$/, '');
  const isNumbered = !name.endsWith('*') && !NEVER_NUMBERED.has(base);
  const whole = { from, to, isNumbered: isNumbered && !hasNoNumber(source, { from, to }) };
  const rows = isNumbered && NUMBERED_BY_ROW.has(base) ? rowsOf(source, from, to) : [whole];
  return rows.flatMap((span) => {
    const maths = mathsBetween(source, span.from, span.to);
    if (maths.latex === '') return [];
    const latex = KEPT_AROUND.has(base)
      ? `\\begin{${name}}\n${maths.latex}\n\\end{${name}}`
      : maths.latex;
    return [{ ...maths, latex, isNumbered: span.isNumbered }];
  });
}

type Row = Readonly<{ from: number; to: number; isNumbered: boolean }>;

/** Rows end at `\\` outside of braces and inner environments. */
function rowsOf(source: LatexSource, from: number, to: number): Row[] {
  const rows: Row[] = [];
  let start = from;
  for (let index = from; index < to; index += 1) {
    const token = source.tokens[index];
    if (token?.kind === 'open' || token?.kind === 'begin')
      index = Math.max(index, source.ends[index] ?? -1);
    if (token?.kind !== 'command' || token.text !== '\\') continue;
    const row = { from: start, to: index };
    if (hasNoNumber(source, row)) continue;
    rows.push({ ...row, isNumbered: true });
    start = index + 1;
  }
  const rest = mathsBetween(source, start, to);
  const before = rows.at(-1);
  const isRest = rest.latex === '' || hasNoNumber(source, { from: start, to });
  if (isRest && before) rows[rows.length - 1] = { ...before, to };
  else rows.push({ from: start, to, isNumbered: !hasNoNumber(source, { from: start, to }) });
  return rows;
}

/** Whether the last row of the span says that it has no number. */
function hasNoNumber(source: LatexSource, { from, to }: { from: number; to: number }): boolean {
  for (let index = to - 1; index >= from; index -= 1) {
    const token = source.tokens[index];
    if (token?.kind !== 'command') continue;
    if (token.text === '\\') return false;
    if (token.text === 'nonumber' || token.text === 'notag') return true;
  }
  return false;
}

/** Where inline maths that opened before `from` ends, or -1: at the next dollar outside of braces in its paragraph. */
export function closingDollar(source: LatexSource, from: number, to: number): number {
  for (let index = from; index < to; index += 1) {
    const token = source.tokens[index];
    if (token?.kind === 'dollar') return index;
    if (token?.kind === 'paragraph') return -1;
    if (token?.kind === 'open') index = Math.max(index, source.ends[index] ?? -1);
  }
  return -1;
}

/** Where `\[` or `\(` ends, or -1; another opening means that the first was never closed. */
export function closingCommand(
  source: LatexSource,
  from: number,
  to: number,
  open: string,
  close: string,
): number {
  for (let index = from; index < to; index += 1) {
    const token = source.tokens[index];
    if (token?.kind !== 'command') continue;
    if (token.text === close) return index;
    if (token.text === open) return -1;
  }
  return -1;
}
