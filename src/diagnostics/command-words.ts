import type { CommandUse } from './code-facts.ts';

/** A quoted part, an escaped character, or a run of what ends no word. */
const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)|([^\s"'\\;|&#()<>]+|#(?=\S))/gs;
const KEYWORD = /^(do|then|else|time|nohup|exec|sudo|env|command|!|\{|if|while)$/;
/** What only the shell, or whoever fills in a cell of the matrix, knows. */
const UNKNOWN = /[$`{}*?]|<[^>]*>/;

/** `cd "$(dirname "$0")"/..`: to where the script itself is, or above it. */
const TO_ITSELF = /^\s*cd\s+.*(?:dirname|BASH_SOURCE|\$\{0%)[^/]*((?:\/\.\.)*)["']?\s*(?:$|[;|&])/;
const REDIRECTION = /(?:\d|&)?>{1,2}\s*(?:&\d|[^\s;|&]+)|<(?![<\w(])\s*[^\s;|&]+/g;

/**
 * The commands of a block of shell, word by word: enough for what scripts, documents and plans tell readers to run.
 * Variables, substitutions and placeholders are null. `home` is the folder of the script.
 */
export function splitCommands(text: string, home: string, firstLine = 1): CommandUse[] {
  const commands: CommandUse[] = [];
  let folder: string | null = '';
  for (const { source, line } of logicalLines(text, firstLine)) {
    const up = TO_ITSELF.exec(source)?.[1];
    if (up !== undefined) {
      folder = above(home, up.length / '/..'.length);
      continue;
    }
    for (const part of partsOf(source.replace(REDIRECTION, ' '))) {
      const words = wordsOf(part);
      const [first, target] = words;
      if (first === 'cd' || first === 'pushd') folder = enter(folder, target);
      else if (words.length > 0) commands.push({ words, line, folder });
    }
  }
  return commands;
}

/** Lines with those that a backslash continues, without the text of here-documents. */
function logicalLines(
  text: string,
  firstLine: number,
): { readonly source: string; readonly line: number }[] {
  const lines: { source: string; line: number }[] = [];
  let isOpen = false;
  let document: string | undefined;
  for (const [index, source] of text.split('\n').entries()) {
    if (document !== undefined) {
      if (source.trim() === document) document = undefined;
      continue;
    }
    const last = lines.at(-1);
    const written = source.replace(/\\$/, ' ');
    if (isOpen && last !== undefined) last.source += written;
    else lines.push({ source: written, line: firstLine + index });
    isOpen = source.endsWith('\\');
    document = /<<-?\s*["']?(\w+)["']?/.exec(source)?.[1];
  }
  return lines;
}

function above(folder: string, levels: number): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  return levels > parts.length ? null : parts.slice(0, parts.length - levels).join('/');
}

/** The folder after `cd`; null when it can't be known. */
export function enter(folder: string | null, target: string | null | undefined): string | null {
  if (folder === null || target === null || target === undefined) return null;
  if (/^([/~-]|\.\.)/.test(target)) return null;
  const name = target.replace(/^\.\//, '').replace(/\/$/, '');
  if (name === '.' || name === '') return folder;
  return folder === '' ? name : `${folder}/${name}`;
}

/** Words without what stands before a command: keywords, `FOO=1`, prompts. */
export function withoutPrefix(words: readonly (string | null)[]): (string | null)[] {
  const start = words.findIndex(
    (word) => word === null || !(KEYWORD.test(word) || /^[A-Za-z_]\w*=/.test(word)),
  );
  return start < 0 ? [] : words.slice(start);
}

function partsOf(line: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let part = '';
  for (const [index, character] of Array.from(line).entries()) {
    if (quote === '' && character === '#' && /(^|\s)$/.test(line.slice(0, index))) break;
    if (character === quote) quote = '';
    else if (quote === '' && /["']/.test(character)) quote = character;
    if (quote === '' && /[;|&()]/.test(character)) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part];
}

function wordsOf(part: string): (string | null)[] {
  const words: (string | null)[] = [];
  for (const source of part.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\S)+/g) ?? []) {
    const isLiteral = /^'[^']*'$/.test(source);
    words.push(!isLiteral && UNKNOWN.test(source) ? unknownWord(source) : unquoted(source));
  }
  return withoutPrefix(words.filter((word) => word !== ''));
}

/** `--seed=$s` is the flag `--seed` with a value that is not known. */
function unknownWord(source: string): string | null {
  return /^(--?[A-Za-z][\w-]*=)[^$`{}*?]*[$`{}*?]/.exec(source)?.[1] ?? null;
}

function unquoted(source: string): string {
  return [...source.matchAll(PART)]
    .map(([, double, single, escaped, plain]) => double ?? single ?? escaped ?? plain ?? '')
    .join('');
}
