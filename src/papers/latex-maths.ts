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

/** The maths of a display environment, with the environment where the maths needs it. */
export function mathsOfEnvironment(
  name: string,
  source: LatexSource,
  from: number,
  to: number,
): Maths {
  const maths = mathsBetween(source, from, to);
  if (!KEPT_AROUND.has(name.replace(/\*$/, ''))) return maths;
  return { ...maths, latex: `\\begin{${name}}\n${maths.latex}\n\\end{${name}}` };
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
