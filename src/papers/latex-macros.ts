import { argumentAt, latexSource, optionAt, skipBlank } from './latex-source.ts';
import type { LatexSource, Span } from './latex-source.ts';
import { readDefinition } from './latex-definitions.ts';
import type { Macro } from './latex-definitions.ts';
import type { Token } from './latex-tokens.ts';

/** How deep macros may stand in macros; recursion ends here. */
const DEEPEST_EXPANSION = 24;
/** How much text all expansions of a paper may make together; real papers stay far below. */
const MOST_EXPANDED_CHARACTERS = 1_000_000;

/** What is being read: the file, or the body of a macro inside it. */
type Frame = { source: LatexSource; index: number; depth: number };
type Expansion = {
  frames: Frame[];
  macros: Map<string, Macro>;
  output: Token[];
  charactersLeft: number;
  wasCut: boolean;
  hasUnclosedCondition: boolean;
};

/**
 * Replaces the macros that the paper defines itself by what they stand for, and takes out their definitions and
 * `\iffalse … \fi`. Bounded in depth and size: past the bounds macros stay as they are, with a notice.
 */
export function expandMacros(tokens: readonly Token[]): { tokens: Token[]; notices: string[] } {
  const state: Expansion = {
    frames: [{ source: latexSource(tokens), index: 0, depth: 0 }],
    macros: new Map(),
    output: [],
    charactersLeft: MOST_EXPANDED_CHARACTERS,
    wasCut: false,
    hasUnclosedCondition: false,
  };
  for (let frame = topFrame(state); frame !== undefined; frame = topFrame(state))
    step(state, frame);
  const notices = state.wasCut
    ? [
        'Some macros of the paper stand for themselves or for too much text: they were left as they are.',
      ]
    : [];
  return { tokens: state.output, notices };
}

function topFrame(state: Expansion): Frame | undefined {
  for (;;) {
    const frame = state.frames.at(-1);
    if (frame === undefined || frame.index < frame.source.tokens.length) return frame;
    state.frames.pop();
  }
}

function step(state: Expansion, frame: Frame): void {
  const token = frame.source.tokens[frame.index];
  frame.index += 1;
  if (token === undefined) return;
  if (token.kind !== 'command') {
    state.output.push(token);
    return;
  }
  const definition = readDefinition(token.text, frame.source, frame.index);
  if (definition !== undefined) {
    frame.index = definition.next;
    const macro = state.macros.get(definition.alias ?? '') ?? definition.macro;
    if (macro !== undefined) state.macros.set(definition.name, macro);
    for (const kept of definition.kept) state.output.push(kept);
    return;
  }
  if (token.text === 'iffalse' && skipCondition(state, frame)) return;
  const macro = state.macros.get(token.text);
  if (macro === undefined || !expand(state, frame, token, macro))
    state.output.push(withoutPin(token));
}

/** The meaning that `\let` keeps of a command which is redefined later: its name is pinned by a backslash. */
function withoutPin(token: Token): Token {
  return token.text.length > 1 && token.text.startsWith('\\')
    ? { ...token, text: token.text.slice(1) }
    : token;
}

/** False when a bound is reached: then the macro stays. */
function expand(state: Expansion, frame: Frame, token: Token, macro: Macro): boolean {
  if (frame.depth >= DEEPEST_EXPANSION || state.charactersLeft <= 0) {
    state.wasCut = true;
    return false;
  }
  const values: (readonly Token[])[] = [];
  if (macro.defaultValue !== undefined) values.push(readOption(state) ?? macro.defaultValue);
  while (values.length < macro.parameters) {
    const value = readArgument(state);
    if (value === undefined) {
      // The arguments read so far are put back behind it.
      state.output.push(token);
      for (const read of values) for (const part of read) state.output.push(part);
      return true;
    }
    values.push(value);
  }
  const body = substitute(state, macro.body, values);
  const spaced = /\s$/.test(token.source) && macro.parameters === 0;
  if (spaced) body.push({ kind: 'text', text: ' ', source: ' ' });
  state.frames.push({ source: latexSource(body), index: 0, depth: frame.depth + 1 });
  return true;
}

/** The body with the arguments in their places; it is cut where it passes the bound. */
function substitute(
  state: Expansion,
  body: readonly Token[],
  values: readonly (readonly Token[])[],
): Token[] {
  const result: Token[] = [];
  state.charactersLeft -= 1;
  for (const token of body) {
    const value = token.kind === 'parameter' ? values[Number(token.text) - 1] : undefined;
    for (const part of value ?? [token]) {
      state.charactersLeft -= part.source.length;
      if (state.charactersLeft < 0) {
        state.wasCut = true;
        return result;
      }
      result.push(part);
    }
  }
  return result;
}

/** An argument may stand after the end of the macro body that asks for it. */
function readArgument(state: Expansion): readonly Token[] | undefined {
  const frame = topFrame(state);
  if (frame === undefined) return undefined;
  const { source } = frame;
  const start = skipBlank(source, frame.index, source.tokens.length);
  const first = source.tokens[start];
  if (first?.kind === 'text') {
    frame.index = start + 1;
    const text = first.text.trimStart();
    const character = String.fromCodePoint(text.codePointAt(0) ?? 32);
    const rest = textToken(text.slice(character.length));
    state.frames.push({ source: latexSource([rest]), index: 0, depth: frame.depth });
    return [textToken(character)];
  }
  return takeSpan(frame, argumentAt(source, frame.index, source.tokens.length));
}

function readOption(state: Expansion): readonly Token[] | undefined {
  const frame = topFrame(state);
  if (frame === undefined) return undefined;
  return takeSpan(frame, optionAt(frame.source, frame.index, frame.source.tokens.length));
}

function takeSpan(frame: Frame, span: Span | undefined): readonly Token[] | undefined {
  if (span === undefined) return undefined;
  frame.index = span.next;
  return frame.source.tokens.slice(span.from, span.to);
}

function textToken(text: string): Token {
  return { kind: 'text', text, source: text };
}

/** Skips to the `\fi` of an `\iffalse`; false when there is none. */
function skipCondition(state: Expansion, frame: Frame): boolean {
  if (state.hasUnclosedCondition) return false;
  const { tokens } = frame.source;
  let open = 1;
  for (let index = frame.index; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.kind !== 'command') continue;
    if (token.text === 'fi') open -= 1;
    else if (/^if(?!f$|thenelse$)/.test(token.text)) open += 1;
    if (open > 0) continue;
    frame.index = index + 1;
    return true;
  }
  state.hasUnclosedCondition = true;
  return false;
}
