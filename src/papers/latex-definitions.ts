import { argumentAt, optionAt, skipBlank } from './latex-source.ts';
import type { LatexSource } from './latex-source.ts';
import type { Token } from './latex-tokens.ts';

/** A command of the paper's own. `defaultValue` makes its first parameter optional. */
export type Macro = Readonly<{
  parameters: number;
  defaultValue: readonly Token[] | undefined;
  body: readonly Token[];
}>;

/** A definition that ended at `next`. `kept` are tokens that the converter still wants to see. */
export type Definition = Readonly<{
  name: string;
  macro: Macro | undefined;
  /** The command that `\let` copies; its macro, when it has one, comes before `macro`. */
  alias?: string;
  next: number;
  kept: readonly Token[];
}>;

/** Commands whose meaning the converter knows better than a paper's restyling of them. */
const PROTECTED = new Set(
  (
    'begin end item caption label ref eqref autoref cref cite citep citet includegraphics section subsection ' +
    'subsubsection paragraph chapter title author maketitle abstract abstractname footnote epigraph thesection ' +
    'textbf emph textit and or today arraystretch qed left right par bibliography'
  ).split(' '),
);

/** More tokens than this between `\def\name` and its body are not a parameter pattern. */
const LONGEST_PATTERN_TOKENS = 40;

/** Reads `\newcommand`, `\def`, `\DeclareMathOperator` and their kin after the command; undefined for other commands. */
export function readDefinition(
  command: string,
  source: LatexSource,
  at: number,
): Definition | undefined {
  switch (command.replace('*', '')) {
    case 'newcommand':
    case 'renewcommand':
    case 'providecommand':
      return readNewCommand(source, at);
    case 'DeclareMathOperator':
      return readOperator(command.endsWith('*'), source, at);
    case 'def':
    case 'gdef':
      return readDef(source, at);
    case 'let':
      return readLet(source, at);
    default:
      return undefined;
  }
}

function readNewCommand(source: LatexSource, at: number): Definition | undefined {
  const end = source.tokens.length;
  const nameSpan = argumentAt(source, at, end);
  const name = nameSpan && nameOf(source, nameSpan.from, nameSpan.to);
  if (nameSpan === undefined || name === undefined) return undefined;
  const count = optionAt(source, nameSpan.next, end);
  const value = count && optionAt(source, count.next, end);
  const body = argumentAt(source, value?.next ?? count?.next ?? nameSpan.next, end);
  if (body === undefined) return undefined;
  const parameters = count === undefined ? 0 : Number(source.tokens[count.from]?.text.trim());
  const macro = {
    parameters,
    defaultValue: value && source.tokens.slice(value.from, value.to),
    body: source.tokens.slice(body.from, body.to),
  };
  const isUsable = Number.isInteger(parameters) && parameters >= 0 && parameters <= 9;
  return defined(name, isUsable ? macro : undefined, body.next);
}

function readOperator(isStarred: boolean, source: LatexSource, at: number): Definition | undefined {
  const end = source.tokens.length;
  const nameSpan = argumentAt(source, at, end);
  const name = nameSpan && nameOf(source, nameSpan.from, nameSpan.to);
  const body = nameSpan && argumentAt(source, nameSpan.next, end);
  if (name === undefined || body === undefined) return undefined;
  const operator = isStarred ? 'operatorname*' : 'operatorname';
  const words: Token[] = [
    { kind: 'command', text: operator, source: `\\${operator}` },
    { kind: 'open', text: '{', source: '{' },
    ...source.tokens.slice(body.from, body.to),
    { kind: 'close', text: '}', source: '}' },
  ];
  return defined(name, { parameters: 0, defaultValue: undefined, body: words }, body.next);
}

/** `\def\name#1#2{…}`; with delimited parameters the definition is dropped and the command stays as it is. */
function readDef(source: LatexSource, at: number): Definition | undefined {
  const nameIndex = skipBlank(source, at, source.tokens.length);
  const name = nameOf(source, nameIndex, nameIndex + 1);
  if (name === undefined) return undefined;
  let index = nameIndex + 1;
  let parameters = 0;
  let isSimple = true;
  for (; source.tokens[index]?.kind !== 'open'; index += 1) {
    const token = source.tokens[index];
    const isTooFar = index > nameIndex + LONGEST_PATTERN_TOKENS;
    if (token === undefined || token.kind === 'paragraph' || isTooFar) return undefined;
    if (token.kind === 'parameter') parameters += 1;
    else if (token.text.trim() !== '') isSimple = false;
  }
  const body = argumentAt(source, index, source.tokens.length);
  if (body === undefined) return undefined;
  const tokens = source.tokens.slice(body.from, body.to);
  return defined(
    name,
    isSimple ? { parameters, defaultValue: undefined, body: tokens } : undefined,
    body.next,
  );
}

/** `\let\a=\b`: an alias, unless of itself. */
function readLet(source: LatexSource, at: number): Definition | undefined {
  const end = source.tokens.length;
  const nameIndex = skipBlank(source, at, end);
  const name = nameOf(source, nameIndex, nameIndex + 1);
  if (name === undefined) return undefined;
  let index = skipBlank(source, nameIndex + 1, end);
  if (source.tokens[index]?.kind === 'text' && source.tokens[index]?.text.trim() === '=')
    index += 1;
  index = skipBlank(source, index, end);
  const target = source.tokens[index];
  if (target?.kind !== 'command' || target.text === name)
    return defined(name, undefined, index + 1);
  const pinned = { ...target, text: `\\${target.text}` };
  const macro = { parameters: 0, defaultValue: undefined, body: [pinned] };
  return { ...defined(name, macro, index + 1), alias: target.text };
}

function nameOf(source: LatexSource, from: number, to: number): string | undefined {
  const token = source.tokens[skipBlank(source, from, to)];
  return token?.kind === 'command' ? token.text : undefined;
}

function defined(name: string, macro: Macro | undefined, next: number): Definition {
  if (name === 'abstractname' && macro !== undefined)
    return { name, macro: undefined, next, kept: abstractName(macro) };
  return { name, macro: PROTECTED.has(name) ? undefined : macro, next, kept: [] };
}

/** The heading of the next abstract, which the converter reads as a command with one argument. */
function abstractName(macro: Macro): Token[] {
  return [
    { kind: 'command', text: 'abstractname', source: '\\abstractname' },
    { kind: 'open', text: '{', source: '{' },
    ...macro.body,
    { kind: 'close', text: '}', source: '}' },
  ];
}
