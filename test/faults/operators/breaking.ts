import type { Tree } from '../corpus.ts';
import { codePlaces, localImports, pythonFiles } from '../python-text.ts';
import { isTest, spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators that damage one file: it no longer parses, is cut off, hollow or empty. */
export const BREAKING: readonly Operator[] = [
  { name: 'drop a closing bracket', sites: ({ tree }) => bracketed(tree).flatMap(withoutBracket) },
  { name: 'cut within brackets', sites: ({ tree }) => bracketed(tree).flatMap(cutInBrackets) },
  { name: 'cut within a loop', sites: ({ tree }) => [...tree].flatMap(cutInLoop) },
  { name: 'indent one line', sites: ({ tree }) => pythonFiles(tree).flatMap(indented) },
  { name: 'replace a body by pass', sites: ({ tree }) => pythonFiles(tree).flatMap(hollowed) },
  { name: 'empty a module', sites: ({ tree }) => emptied(tree) },
];

function bracketed(tree: Tree): [string, string][] {
  return [...tree].filter(([path]) => /\.(py|json)$/.test(path));
}

function withoutBracket([path, text]: [string, string]): Mutation[] {
  return codePlaces(text)
    .filter(({ character }) => ')]}'.includes(character))
    .map(({ at, character }) => ({
      what: `${path} without the ${character} at ${at}`,
      kinds: ['does-not-parse', 'cut-off'],
      paths: [path],
      word: '',
      changes: { [path]: spliced(text, at, at + 1, '') },
    }));
}

function cutInBrackets([path, text]: [string, string]): Mutation[] {
  return codePlaces(text)
    .filter(({ depth, at }) => depth > 0 && at > 20)
    .map(({ at }) => ({
      what: `${path} ends at ${at}`,
      kinds: ['cut-off', 'does-not-parse'],
      paths: [path],
      word: '',
      changes: { [path]: text.slice(0, at + 1) },
    }));
}

function cutInLoop([path, text]: [string, string]): Mutation[] {
  if (!path.endsWith('.sh')) return [];
  return [...text.matchAll(/^ *for .*\n(?:(?! *done\b).*\n)*?(?= *python)/gm)].map(
    ({ 0: loop, index }) => ({
      what: `${path} ends at ${index + loop.length}`,
      kinds: ['cut-off', 'does-not-parse'],
      paths: [path],
      word: '',
      changes: { [path]: text.slice(0, index + loop.length) },
    }),
  );
}

/** Lines that follow a line of the same depth within the same block cannot be one space further in. */
function indented([path, text]: [string, string]): Mutation[] {
  const code = new Map(codePlaces(text).map(({ at, depth }) => [at, depth]));
  return [...text.matchAll(/^( +)(\w[^\n]*[^\n:,([{\\])\n(\1)(?=\w)/gm)].flatMap((match) => {
    const second = match.index + (match[1] ?? '').length + (match[2] ?? '').length + 1;
    const plain =
      code.get(match.index) === 0 && code.get(second) === 0 && code.get(second - 1) === 0;
    if (!plain) return [];
    return [
      {
        what: `${path} with a space too many at ${second}`,
        kinds: ['does-not-parse'],
        paths: [path],
        word: '',
        changes: { [path]: spliced(text, second, second, ' ') },
      },
    ];
  });
}

/** Bodies of three lines or more that give a value back. */
function hollowed([path, text]: [string, string]): Mutation[] {
  if (isTest(path)) return [];
  const pattern = /^( *)def (\w+)\([^\n]*:\n((?:\1 +[^\n]*\n|\n(?=\1 ))+)/gm;
  return [...text.matchAll(pattern)].flatMap(({ 0: whole, 1: margin, 2: name, 3: body, index }) => {
    const before = text.slice(0, index).trimEnd().split('\n').at(-1)?.trim() ?? '';
    const long = (body?.trim().split('\n').length ?? 0) >= 3 && /\breturn [^\n]/.test(body ?? '');
    if (!long || before.startsWith('@') || name === undefined) return [];
    const start = index + whole.length - (body?.length ?? 0);
    return [
      {
        what: `${path} with nothing in ${name}`,
        kinds: ['hollow'],
        paths: [path],
        word: name,
        changes: {
          [path]: spliced(text, start, index + whole.length, `${margin ?? ''}    pass\n`),
        },
      },
    ];
  });
}

function emptied(tree: Tree): Mutation[] {
  const used = new Set(localImports(tree).map(({ module }) => module));
  return [...used]
    .filter((path) => !path.endsWith('__init__.py'))
    .map((path) => ({
      what: `nothing in ${path}`,
      kinds: ['empty'],
      paths: [path],
      word: '',
      changes: { [path]: '' },
    }));
}
