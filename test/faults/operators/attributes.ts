import { codePlaces, pythonFiles } from '../python-text.ts';
import type { Tree } from '../corpus.ts';
import { isTest, spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators after which a class reads what nothing sets. */
export const ATTRIBUTES: readonly Operator[] = [
  { name: 'forget an attribute', sites: ({ tree }) => classes(tree).flatMap(forgotten) },
  { name: 'keep an attribute local', sites: ({ tree }) => classes(tree).flatMap(keptLocal) },
  { name: 'misspell an attribute', sites: ({ tree }) => classes(tree).flatMap(misspelt) },
  { name: 'rename what is set', sites: ({ tree }) => classes(tree).flatMap(renamedWhereSet) },
];

/** A class at the top of a module, which no dynamic access makes unsure. */
interface PlainClass {
  readonly path: string;
  readonly text: string;
  readonly name: string;
  /** Where its body starts and ends in the text. */
  readonly from: number;
  readonly to: number;
  /** Whether all that it inherits is written in the repository, or sets no names of this kind. */
  readonly isKnown: boolean;
  /** The code of the whole repository. */
  readonly all: string;
}

const PLAIN_BASES = ['object', 'ABC', 'abc.ABC', 'nn.Module', 'torch.nn.Module'];
const DYNAMIC = /__getattr|setattr\(self|__dict__|vars\(self\)|__slots__/;

function classes(tree: Tree): PlainClass[] {
  const files = pythonFiles(tree).filter(([path]) => !isTest(path));
  const all = files.map(([, text]) => text).join('\n');
  const written = [...all.matchAll(/^class (\w+)/gm)].map(([, name = '']) => name);
  return files.flatMap(([path, text]) =>
    [...text.matchAll(/^class (\w+)(?:\(([^)]*)\))?:\n/gm)].flatMap((match) => {
      const from = match.index + match[0].length;
      const after = /^\S/m.exec(text.slice(from))?.index;
      const to = after === undefined ? text.length : from + after;
      if (DYNAMIC.test(text.slice(from, to))) return [];
      const bases = (match[2] ?? '').split(',').map((base) => base.trim());
      const isKnown = bases.every(
        (base) => base === '' || PLAIN_BASES.includes(base) || written.includes(base),
      );
      return [{ path, text, name: match[1] ?? '', from, to, isKnown, all }];
    }),
  );
}

/** A line `self.name = value` of a constructor, the only place of the repository that gives the name to anything. */
interface Setting {
  readonly name: string;
  readonly at: number;
  readonly line: string;
}

function onlySettings({ text, from, to, isKnown, all }: PlainClass): Setting[] {
  const start = text.indexOf('    def __init__(', from);
  if (!isKnown || start < from || start >= to) return [];
  const rest = text.slice(start + 8, to);
  const end = start + 8 + (/^ {4}[\w@]/m.exec(rest)?.index ?? rest.length);
  const depths = new Map(codePlaces(text).map(({ at, depth }) => [at, depth]));
  return [...text.slice(start, end).matchAll(/^ {8}self\.(\w+) = [^\n]+\n/gm)].flatMap((match) => {
    const [line, name = ''] = match;
    const at = start + match.index;
    const isWhole = depths.get(at) === 0 && depths.get(at + line.length - 1) === 0;
    const isSetOnce = [...all.matchAll(givenTo(name))].length === 1;
    const isRead = new RegExp(`\\bself\\.${name}\\b`).test(
      text.slice(from, at) + text.slice(at + line.length, to),
    );
    return isWhole && isSetOnce && isRead ? [{ name, at, line }] : [];
  });
}

/** Everything by which a class may come to have a name: assigned, defined, annotated, registered, written as text. */
function givenTo(name: string): RegExp {
  return new RegExp(
    `\\.${name}\\b(?: *,[^=\\n]*)? *(?::[^=\\n]+)?=(?!=)|\\.${name} *[-+*/@|]=|, *\\w+\\.${name} *=(?!=)` +
      `|\\bdef ${name}\\b|^ {4}${name} *[:=]|["']${name}["']|\\b${name}=`,
    'gm',
  );
}

function lost({ path, text, name: owner }: PlainClass, setting: Setting, instead: string) {
  const { name, at, line } = setting;
  return {
    kinds: ['unresolved-name', 'type-fault'] as const,
    paths: [path],
    word: name,
    what: `${owner} in ${path} does not set ${name}`,
    changes: { [path]: spliced(text, at, at + line.length, instead) },
  };
}

function forgotten(one: PlainClass): Mutation[] {
  const others = (at: number): boolean =>
    /^ {8}\S/m.test(
      one.text
        .slice(at, one.to)
        .replace(/^[^\n]*\n/, '')
        .split(/^ {4}\S/m)[0] ?? '',
    );
  return onlySettings(one)
    .filter(({ at }) => others(at))
    .map((setting) => lost(one, setting, ''));
}

function keptLocal(one: PlainClass): Mutation[] {
  return onlySettings(one).map((setting) => lost(one, setting, setting.line.replace('self.', '')));
}

function renamedWhereSet(one: PlainClass): Mutation[] {
  return onlySettings(one).map((setting) =>
    lost(one, setting, setting.line.replace(`self.${setting.name}`, `self.${setting.name}_value`)),
  );
}

/** One reading of `self.name` asks for `self.name_old`. */
function misspelt({ path, text, name: owner, from, to }: PlainClass): Mutation[] {
  const code = new Set(codePlaces(text).map(({ at }) => at));
  return [...text.slice(from, to).matchAll(/\bself\.([a-z_]\w*)\b(?! *(?:[-+*/@|]?=(?!=)|,|:))/g)]
    .map((match) => ({ name: match[1] ?? '', at: from + match.index }))
    .filter(({ at, name }) => code.has(at) && !name.startsWith('__'))
    .map(({ name, at }) => ({
      what: `${owner} in ${path} reads ${name}_old at ${at}`,
      kinds: ['unresolved-name', 'type-fault'],
      paths: [path],
      word: `${name}_old`,
      changes: { [path]: spliced(text, at, at + 5 + name.length, `self.${name}_old`) },
    }));
}
