/** The first thing in a Python text that is opened or closed without its counterpart. */
export interface Imbalance {
  readonly kind: 'unclosed-bracket' | 'unclosed-string' | 'stray-bracket';
  readonly token: string;
  /** From 1: where it was opened, or stands. */
  readonly line: number;
  /** The text goes on with other statements after it, so it was forgotten rather than cut off. */
  readonly followedByCode: boolean;
}

interface OpenBracket {
  readonly token: string;
  readonly line: number;
}

const PARTNER: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** A comment, a string's opening quotes, a bracket or a line's end: all that matters for balance. */
const TOKEN = /#[^\n]*|\\[\s\S]|"""|'''|["'()[\]{}\n]/g;
const STATEMENT = /^[ \t]*(def|class|import|return|while|raise|with|@|from\s+[\w.]+\s+import)\b/;

/**
 * Finds what a syntax tree with an error seldom tells: which bracket or string is to blame.
 * Meant for texts that do not parse; quotes nested in an f-string, allowed since Python 3.12, would mislead it.
 */
export function findImbalance(text: string): Imbalance | undefined {
  const open: OpenBracket[] = [];
  let line = 1;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token === '\n') {
      line += 1;
      const bracket = open.at(-1);
      // No bracket holds a statement, so the one that is open should have been closed before.
      if (bracket && STATEMENT.test(lineAt(text, TOKEN.lastIndex)))
        return { kind: 'unclosed-bracket', ...bracket, followedByCode: true };
    } else if (/^["']/.test(token)) {
      const end = stringEnd(text, TOKEN.lastIndex, token);
      if (end === undefined) return unclosedString(text, TOKEN.lastIndex, token, line);
      line += countLines(text, TOKEN.lastIndex, end);
      TOKEN.lastIndex = end;
    } else if (token.startsWith('\\')) {
      if (token === '\\\n') line += 1;
    } else if ('([{'.includes(token)) {
      open.push({ token, line });
    } else if (token in PARTNER) {
      const bracket = open.pop();
      if (bracket?.token !== PARTNER[token])
        return { kind: 'stray-bracket', token, line, followedByCode: true };
    }
  }
  const bracket = open.at(-1);
  return bracket && { kind: 'unclosed-bracket', ...bracket, followedByCode: false };
}

function stringEnd(text: string, from: number, quotes: string): number | undefined {
  const closing = new RegExp(
    quotes.length === 3 ? `\\\\[\\s\\S]|${quotes}` : `\\\\[\\s\\S]|${quotes}|\\n`,
    'g',
  );
  closing.lastIndex = from;
  for (let match = closing.exec(text); match !== null; match = closing.exec(text)) {
    if (match[0] === '\n') return undefined;
    if (match[0] === quotes) return closing.lastIndex;
  }
  return undefined;
}

function unclosedString(text: string, from: number, token: string, line: number): Imbalance {
  const lineEnd = text.indexOf('\n', from);
  const rest = lineEnd < 0 ? '' : text.slice(lineEnd);
  const followedByCode = token.length === 1 && rest.trim() !== '';
  return { kind: 'unclosed-string', token, line, followedByCode };
}

function countLines(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1;
}

function lineAt(text: string, from: number): string {
  const end = text.indexOf('\n', from);
  return text.slice(from, end < 0 ? text.length : end);
}
