/** `text` is the name of a command or environment, or the characters; `source` is what stood in the file. */
export type Token = Readonly<{
  kind:
    | 'command'
    | 'begin'
    | 'end'
    | 'open'
    | 'close'
    | 'bracket'
    | 'dollar'
    | 'cell'
    | 'parameter'
    | 'paragraph'
    | 'verbatim'
    | 'url'
    | 'text';
  text: string;
  source: string;
}>;

/** Environments whose content is not LaTeX; comments in them are not comments. */
const VERBATIM = new Set(
  'verbatim verbatim* Verbatim lstlisting minted alltt comment filecontents filecontents* code'.split(
    ' ',
  ),
);
/** Commands whose star belongs to their name; elsewhere it is multiplication. */
const STARRED = new Set(
  (
    'part chapter section subsection subsubsection paragraph subparagraph caption operatorname newcommand ' +
    'renewcommand providecommand DeclareMathOperator hspace vspace citet citep cite Citet Citep citeauthor ref ' +
    'Cref cref autoref eqref includegraphics footnotetext def tag newtheorem citealp citealt'
  ).split(' '),
);

const BEGIN_OR_END = /\\(begin|end)\s*\{([^{}\n]{1,60})\}/y;
const VERB = /\\(?:verb|lstinline)\*?(?!\w)(?:\[[^\]\n]*\])?([^\s\w*{])([^\n]{0,300}?)\1/y;
const URL = /\\(?:url|path|nolinkurl)\s*\{([^{}\n]*)\}/y;
const LINK = /\\href\s*\{([^{}\n]*)\}/y;
const COMMAND = /\\(?:([a-zA-Z@]+)(\*?)([ \t]*(?:\n(?![ \t]*\n)[ \t]*)?)|([\s\S])|$)/y;
const COMMENT = /%[^\n]*(?:\n[ \t]*|$)/y;
/** A number, a bare % and a sentence that goes on: an author forgot the backslash, and TeX dropped half the sentence. */
export const FORGOTTEN_ESCAPE = /(?<=\d)%(?=[ ,.;)] ?[a-z])/;
const LINE_END = /\n[ \t]*(\n\s*)?/y;
const PLAIN = /[^\\{}[\]$&%#\n]+/y;

type Scanner = {
  text: string;
  at: number;
  tokens: Token[];
  unclosed: Set<string>;
  afterComment: boolean;
};

/** Splits LaTeX into tokens in linear time, without its comments. Never throws, whatever the text. */
export function tokenise(text: string): Token[] {
  const scanner: Scanner = { text, at: 0, tokens: [], unclosed: new Set(), afterComment: false };
  while (scanner.at < text.length) readToken(scanner);
  return scanner.tokens;
}

function readToken(scanner: Scanner): void {
  const first = scanner.text.charAt(scanner.at);
  const wasComment = scanner.afterComment;
  scanner.afterComment = false;
  switch (first) {
    case '\\':
      readBackslash(scanner);
      return;
    case '%':
      if (isPercentSign(scanner)) {
        push(scanner, 'text', '%', '%');
        scanner.at += 1;
        return;
      }
      // TeX takes the line end away with the comment; where space stands before it, layout may stay.
      if (/[ \t]/.test(scanner.text.charAt(scanner.at - 1))) push(scanner, 'text', '\n', '\n');
      take(scanner, COMMENT);
      scanner.afterComment = true;
      return;
    case '\n': {
      const isBlankLine = take(scanner, LINE_END)?.[1] !== undefined || wasComment;
      push(scanner, isBlankLine ? 'paragraph' : 'text', '\n', isBlankLine ? '\n\n' : '\n');
      return;
    }
    case '{':
    case '}':
    case '[':
    case ']':
    case '$':
    case '&':
      scanner.at += 1;
      push(scanner, SINGLE[first], first, first);
      return;
    case '#': {
      const found = take(scanner, /#+[1-9]?/y)?.[0] ?? '#';
      push(scanner, /^#[1-9]$/.test(found) ? 'parameter' : 'text', found.slice(1), found);
      return;
    }
    default: {
      const found = take(scanner, PLAIN)?.[0] ?? first;
      push(scanner, 'text', found, found);
    }
  }
}

const SINGLE = {
  '{': 'open',
  '}': 'close',
  '[': 'bracket',
  ']': 'bracket',
  $: 'dollar',
  '&': 'cell',
} as const;

function readBackslash(scanner: Scanner): void {
  const environment = take(scanner, BEGIN_OR_END);
  if (environment !== undefined) {
    const [source, word = '', rawName = ''] = environment;
    const name = rawName.trim();
    if (word === 'begin' && VERBATIM.has(name) && readVerbatim(scanner, name)) return;
    push(scanner, word === 'begin' ? 'begin' : 'end', name, source);
    return;
  }
  const verb = take(scanner, VERB);
  if (verb !== undefined) {
    push(scanner, 'verbatim', verb[2] ?? '', '\\verb');
    return;
  }
  const url = take(scanner, URL);
  if (url !== undefined) {
    push(scanner, 'url', url[1] ?? '', url[0]);
    return;
  }
  const link = take(scanner, LINK);
  if (link !== undefined) {
    push(scanner, 'command', 'href', '\\href');
    push(scanner, 'open', '{', '{');
    push(scanner, 'text', link[1] ?? '', link[1] ?? '');
    push(scanner, 'close', '}', '}');
    return;
  }
  const command = take(scanner, COMMAND);
  const [source = '\\', word, star = '', , symbol = ''] = command ?? [];
  if (command === undefined) scanner.at += 1;
  if (word === undefined) {
    push(scanner, 'command', symbol, source);
  } else if (star === '*' && !STARRED.has(word)) {
    scanner.at -= source.length - word.length - 1;
    push(scanner, 'command', word, `\\${word}`);
  } else {
    push(scanner, 'command', word + star, source);
  }
}

/** Takes everything up to the end of the environment as one token; false when it has no end. */
function readVerbatim(scanner: Scanner, name: string): boolean {
  // Remembered, so that a thousand unclosed environments do not search the text a thousand times.
  if (scanner.unclosed.has(name)) return false;
  const close = `\\end{${name}}`;
  const end = scanner.text.indexOf(close, scanner.at);
  if (end < 0) {
    scanner.unclosed.add(name);
    return false;
  }
  push(scanner, 'verbatim', scanner.text.slice(scanner.at, end), name);
  scanner.at = end + close.length;
  return true;
}

function take(scanner: Scanner, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = scanner.at;
  const found = pattern.exec(scanner.text);
  if (found === null) return undefined;
  scanner.at += found[0].length;
  return found;
}

function push(scanner: Scanner, kind: Token['kind'], text: string, source: string): void {
  scanner.tokens.push({ kind, text, source });
}

function isPercentSign({ text, at }: Scanner): boolean {
  const window = text.slice(Math.max(0, at - 1), at + 4);
  return FORGOTTEN_ESCAPE.exec(window)?.index === Math.min(1, at);
}
