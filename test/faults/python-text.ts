import type { Tree } from './corpus.ts';

/** A place in a Python text that is code, not string or comment, with the brackets open after it. */
export interface CodePlace {
  readonly at: number;
  readonly character: string;
  readonly depth: number;
}

/** The characters of a Python text outside strings and comments. */
export function codePlaces(text: string): CodePlace[] {
  const places: CodePlace[] = [];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const end = endOfQuiet(text, at);
    if (end !== at) {
      at = end - 1;
      continue;
    }
    if ('([{'.includes(character)) depth++;
    if (')]}'.includes(character)) depth--;
    places.push({ at, character, depth });
  }
  return places;
}

const QUIET = /#[^\n]*|"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;

/** Where the string or comment that starts at a place ends; the place itself when none starts there. */
function endOfQuiet(text: string, at: number): number {
  QUIET.lastIndex = at;
  return QUIET.test(text) ? QUIET.lastIndex : at;
}

/** Where the bracket that opens at a place is closed. */
export function closingOf(text: string, opening: number): number | undefined {
  const places = codePlaces(text);
  const start = places.find(({ at }) => at === opening);
  return places.find(({ at, depth }) => start && at > opening && depth === start.depth - 1)?.at;
}

/** What stands between two places, parted at the commas outside further brackets. */
export function partsBetween(text: string, from: number, to: number): string[] {
  const inner = text.slice(from, to);
  const commas = codePlaces(inner).filter(
    ({ character, depth }) => character === ',' && depth === 0,
  );
  const starts = [0, ...commas.map(({ at }) => at + 1)];
  return starts
    .map((start, index) => inner.slice(start, commas[index]?.at ?? inner.length).trim())
    .filter((part) => part !== '');
}

/** A function or class at the top of a module. */
export interface Definition {
  readonly name: string;
  /** Parameters of the function; undefined where a class or a decorator makes them unsure. */
  readonly parameters: readonly string[] | undefined;
}

/** What stands at the top of a module, not decorated for the parameters to count. */
export function definitionsOf(text: string): Definition[] {
  return [...text.matchAll(/^(?:async )?(def|class) (\w+)/gm)].map((match) => {
    const opening = text.indexOf('(', match.index);
    const closing = match[1] === 'def' ? closingOf(text, opening) : undefined;
    const before = text.slice(0, match.index).trimEnd().split('\n').at(-1) ?? '';
    const sure = closing !== undefined && !before.startsWith('@');
    return {
      name: match[2] ?? '',
      parameters: sure ? partsBetween(text, opening + 1, closing) : undefined,
    };
  });
}

/** A line `from M import a, b` at the left margin, of a module of the same repository. */
export interface LocalImport {
  readonly importer: string;
  readonly line: string;
  readonly module: string;
  /** Without those that are given another name. */
  readonly names: readonly string[];
}

/** The imports from one another of a repository's modules, those within a condition or function left out. */
export function localImports(tree: Tree): LocalImport[] {
  return pythonFiles(tree).flatMap(([importer, text]) =>
    [...text.matchAll(/^from ([\w.]+) import ([\w, ]+)$/gm)].flatMap((match) => {
      const module = moduleAt(tree, importer, match[1] ?? '');
      if (module === undefined) return [];
      const names = (match[2] ?? '').split(',').map((name) => name.trim());
      return [{ importer, line: match[0], module, names: names.filter((n) => /^\w+$/.test(n)) }];
    }),
  );
}

/** The Python files of a repository. */
export function pythonFiles(tree: Tree): [string, string][] {
  return [...tree].filter(([path]) => path.endsWith('.py'));
}

function moduleAt(tree: Tree, importer: string, name: string): string | undefined {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0;
  const folder = importer.split('/').slice(0, -1);
  const start = dots === 0 ? [] : folder.slice(0, folder.length - dots + 1);
  const inner = name
    .slice(dots)
    .split('.')
    .filter((part) => part !== '');
  return ['', 'src/']
    .map((root) => (dots === 0 ? root : '') + [...start, ...inner].join('/'))
    .flatMap((stem) => [`${stem}.py`, `${stem}/__init__.py`])
    .find((path) => tree.has(path));
}
