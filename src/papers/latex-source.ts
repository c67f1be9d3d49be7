import type { Token } from './latex-tokens.ts';

/** Tokens with the index of the brace or `\end` that closes each one that opens; -1 where none does. */
export type LatexSource = Readonly<{ tokens: readonly Token[]; ends: Int32Array }>;

/** A stretch of tokens, `to` not included; `next` is where reading goes on. */
export type Span = Readonly<{ from: number; to: number; next: number }>;

/** An optional argument longer than this is a stray bracket. */
const LONGEST_OPTION_TOKENS = 300;

/** Pairs braces and environments in one pass; what is not balanced stays unpaired. */
export function latexSource(tokens: readonly Token[]): LatexSource {
  const ends = new Int32Array(tokens.length).fill(-1);
  const braces: number[] = [];
  const environments: number[] = [];
  const openCounts = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'open') braces.push(index);
    else if (token.kind === 'close') {
      const start = braces.pop();
      if (start !== undefined) ends[start] = index;
    } else if (token.kind === 'begin') {
      environments.push(index);
      openCounts.set(token.text, (openCounts.get(token.text) ?? 0) + 1);
    } else if (token.kind === 'end' && (openCounts.get(token.text) ?? 0) > 0) {
      closeEnvironment(tokens, ends, environments, openCounts, index);
    }
  }
  return { tokens, ends };
}

function closeEnvironment(
  tokens: readonly Token[],
  ends: Int32Array,
  environments: number[],
  openCounts: Map<string, number>,
  end: number,
): void {
  const wanted = tokens[end]?.text;
  for (;;) {
    const start = environments.pop();
    const name = start === undefined ? undefined : tokens[start]?.text;
    if (start === undefined || name === undefined) return;
    openCounts.set(name, (openCounts.get(name) ?? 1) - 1);
    if (name !== wanted) continue;
    ends[start] = end;
    return;
  }
}

/** The first index from `at` on that is not white space. */
export function skipBlank(source: LatexSource, at: number, to: number): number {
  let index = at;
  for (; index < to; index += 1) {
    const token = source.tokens[index];
    if (token?.kind !== 'text' || token.text.trim() !== '') break;
  }
  return index;
}

/** The `[…]` at `at`, or undefined. */
export function optionAt(source: LatexSource, at: number, to: number): Span | undefined {
  const start = skipBlank(source, at, to);
  if (source.tokens[start]?.text !== '[' || source.tokens[start]?.kind !== 'bracket')
    return undefined;
  const limit = Math.min(to, start + LONGEST_OPTION_TOKENS);
  for (let index = start + 1; index < limit; index += 1) {
    const token = source.tokens[index];
    if (token?.kind === 'paragraph') return undefined;
    if (token?.kind === 'bracket' && token.text === ']') {
      return { from: start + 1, to: index, next: index + 1 };
    }
    if (token?.kind === 'open') index = Math.max(index, source.ends[index] ?? -1);
  }
  return undefined;
}

/** The argument at `at`: a `{…}` that is closed before `to`, or a single token. */
export function argumentAt(source: LatexSource, at: number, to: number): Span | undefined {
  const start = skipBlank(source, at, to);
  const token = source.tokens[start];
  if (start >= to || token === undefined || token.kind === 'paragraph') return undefined;
  if (token.kind === 'open') {
    const end = source.ends[start] ?? -1;
    return end < 0 || end >= to ? undefined : { from: start + 1, to: end, next: end + 1 };
  }
  if (token.kind === 'close' || token.kind === 'end' || token.kind === 'begin') return undefined;
  return { from: start, to: start + 1, next: start + 1 };
}

/** The LaTeX that these tokens came from, without comments. */
export function sourceOf(source: LatexSource, from: number, to: number): string {
  const pieces: string[] = [];
  let afterWord = false;
  for (let index = from; index < to; index += 1) {
    const token = source.tokens[index];
    if (token === undefined) break;
    const piece = sourceOfToken(token);
    // A macro that was expanded, or a comment, may have stood between a command and a letter.
    if (afterWord && /^[a-zA-Z]/.test(piece)) pieces.push(' ');
    pieces.push(piece);
    afterWord = token.kind === 'command' && /[a-zA-Z]$/.test(piece);
  }
  return pieces.join('');
}

function sourceOfToken(token: Token): string {
  if (token.kind !== 'verbatim') return token.source;
  if (token.source === '\\verb') return `\\texttt{${token.text}}`;
  return `\\begin{${token.source}}${token.text}\\end{${token.source}}`;
}
