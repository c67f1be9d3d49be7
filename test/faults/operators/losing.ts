import type { Tree } from '../corpus.ts';
import { closingOf, codePlaces, partsBetween, pythonFiles } from '../python-text.ts';
import { isTest, spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators after which the code runs, and an input, a value, the held-out part or a failure is lost. */
export const LOSING: readonly Operator[] = [
  { name: 'measure what was trained on', sites: ({ tree }) => places(tree, measuredOnTraining) },
  { name: 'ignore a parameter', sites: ({ tree }) => places(tree, parametersIgnored) },
  { name: 'ignore a flag', sites: ({ tree }) => flagsIgnored(tree) },
  { name: 'lose a sum', sites: ({ tree }) => places(tree, sumsLost) },
  { name: 'lose a term', sites: ({ tree }) => places(tree, termsLost) },
  { name: 'fall back in silence', sites: ({ tree }) => places(tree, silenced) },
];

function places(tree: Tree, sites: (path: string, text: string) => Mutation[]): Mutation[] {
  return pythonFiles(tree)
    .filter(([path]) => !isTest(path) && path !== 'setup.py')
    .flatMap(([path, text]) => sites(path, text));
}

/** A function at any depth: its head, and where its body starts and ends. */
interface Block {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly from: number;
  readonly to: number;
}

function blocks(text: string): Block[] {
  return [...text.matchAll(/^( *)def (\w+)\(/gm)].flatMap((match) => {
    const opening = match.index + match[0].length - 1;
    const closing = closingOf(text, opening);
    if (closing === undefined) return [];
    const from = text.indexOf('\n', closing) + 1;
    const margin = match[1] ?? '';
    const after = new RegExp(`^ {0,${margin.length}}\\S`, 'm').exec(text.slice(from))?.index;
    const to = after === undefined ? text.length : from + after;
    const parameters = partsBetween(text, opening + 1, closing);
    return [{ name: match[2] ?? '', parameters, from, to }];
  });
}

/** Where a name is read as a variable, in code: no attribute, no keyword, no target. */
function reads(text: string, name: string, from: number, to: number): number[] {
  const code = new Set(codePlaces(text).map(({ at }) => at));
  const pattern = new RegExp(`(?<![\\w.])${name}(?!\\w| *[-+*/]?=(?!=))`, 'g');
  return [...text.slice(from, to).matchAll(pattern)]
    .map(({ index }) => from + index)
    .filter((at) => code.has(at));
}

function replacedAt(text: string, ats: readonly number[], name: string, other: string): string {
  return ats.reduceRight((done, at) => spliced(done, at, at + name.length, other), text);
}

/** `train_x, test_x = …`: whatever read `test_x` afterwards reads `train_x`. */
function measuredOnTraining(path: string, text: string): Mutation[] {
  return blocks(text).flatMap(({ name, from, to }) => {
    const binding = /^ +(?:for )?(\w+(?:, \w+)+)(?: = | in )[^\n]*\n/gm;
    return [...text.slice(from, to).matchAll(binding)].flatMap((match) => {
      const targets = (match[1] ?? '').split(', ');
      const held = targets.filter((one) => one !== inTraining(one));
      if (held.length === 0 || !held.every((one) => targets.includes(inTraining(one)))) return [];
      const start = from + match.index + match[0].length;
      const isFitted = held.every((one) => reads(text, inTraining(one), start, to).length > 0);
      if (!isFitted || held.some((one) => reads(text, one, start, to).length === 0)) return [];
      const changed = held.reduce(
        (done, one) =>
          replacedAt(
            done,
            reads(done, one, start, to + done.length - text.length),
            one,
            inTraining(one),
          ),
        text,
      );
      return [
        {
          what: `${name} in ${path} reads ${held.map(inTraining).join(', ')} for ${held.join(', ')}`,
          ...{ kinds: ['same-split'] as const, paths: [path], word: '' },
          changes: { [path]: changed },
        },
      ];
    });
  });
}

function inTraining(name: string): string {
  return name.replace(/^(?:test|held_out)(?=_|$)|(?<=_)test$/, 'train');
}

/** `def f(rate=0.1)` uses 0.1 wherever it used its parameter. */
function parametersIgnored(path: string, text: string): Mutation[] {
  return blocks(text).flatMap(({ name, parameters, from, to }) =>
    parameters.flatMap((written) => {
      const parts = /^(\w+)(?:: *(?:int|float))? ?= ?([\d._e-]+)$/.exec(written);
      const [, parameter = '', value = ''] = parts ?? [];
      const used = parts === null ? [] : reads(text, parameter, from, to);
      const changed = replacedAt(text, used, parameter, value);
      const left = changed.slice(from, to + changed.length - text.length);
      const isLeft = new RegExp(`(?<![\\w.])${parameter}(?!\\w| *=(?!=))`).test(left);
      const isDeleted = new RegExp(`\\bdel [\\w, ]*${parameter}\\b`).test(text.slice(from, to));
      if (used.length === 0 || isLeft || isDeleted) return [];
      return [
        {
          what: `${name} in ${path} uses ${value} for ${parameter}`,
          ...{ kinds: ['ignored-input', 'hard-coded'] as const, paths: [path], word: parameter },
          changes: { [path]: changed },
        },
      ];
    }),
  );
}

/** A flag with a number as its default, which is written where the flag was read; nothing else may see the flags. */
function flagsIgnored(tree: Tree): Mutation[] {
  const code = pythonFiles(tree).filter(([path]) => !isTest(path));
  if (code.some(([, text]) => /\bvars\(|__dict__|parse_known_args/.test(text))) return [];
  return code.flatMap(([path, text]) =>
    [...text.matchAll(/"--([\w-]+)"[^\n]*?\bdefault=([\d._e-]+)[,)]/g)].flatMap((match) => {
      const flag = (match[1] ?? '').replaceAll('-', '_');
      const read = new RegExp(`\\b(?:args|arguments|opt|ns)\\.${flag}\\b`, 'g');
      const changes = code
        .filter(([, one]) => one.search(read) >= 0)
        .map(([file, one]) => [file, one.replaceAll(read, match[2] ?? '')] as const);
      if (changes.length === 0 || changes.some(([, one]) => one.includes(`.${flag}`))) return [];
      const files = [path, ...changes.map(([file]) => file)];
      return [
        {
          what: `${path} does not use --${flag}`,
          ...{ kinds: ['ignored-input', 'hard-coded'] as const, paths: files, word: flag },
          changes: Object.fromEntries(changes),
        },
      ];
    }),
  );
}

/** `total += value` becomes `new_total = total + value`, which nothing reads. */
function sumsLost(path: string, text: string): Mutation[] {
  return lines(text, /^( +)([a-z]\w*) \+= (.+)\n/gm).map(({ at, match }) => {
    const [line, margin = '', name = '', value = ''] = match;
    const instead = `${margin}new_${name} = ${name} + (${value})\n`;
    return {
      what: `${path} loses what is added to ${name} at ${at}`,
      ...{ kinds: ['dropped-value'] as const, paths: [path], word: `new_${name}` },
      changes: { [path]: spliced(text, at, at + line.length, instead) },
    };
  });
}

/** `return a + b` becomes `extra = b` and `return a`. */
function termsLost(path: string, text: string): Mutation[] {
  return lines(text, /^( +)return ([^\n]+)\n/gm).flatMap(({ at, match }) => {
    const [line, margin = '', value = ''] = match;
    const plus = codePlaces(value).filter(
      ({ at: place, depth }) => depth === 0 && value.startsWith(' + ', place),
    );
    const last = plus.at(-1)?.at;
    const isPlain = codePlaces(value).every(
      ({ at: place, depth, character }) =>
        depth > 0 || (character !== ',' && !/^ (if|or|and|for|[<>=]) /.test(value.slice(place))),
    );
    if (last === undefined || !isPlain) return [];
    const instead = `${margin}extra_term = ${value.slice(last + 3)}\n${margin}return ${value.slice(0, last)}\n`;
    return [
      {
        what: `${path} loses a term at ${at}`,
        ...{ kinds: ['dropped-value'] as const, paths: [path], word: 'extra_term' },
        changes: { [path]: spliced(text, at, at + line.length, instead) },
      },
    ];
  });
}

const MEASURE =
  /accuracy|average_precision|^auc$|nmi|smape|mase|acceptance|_error$|(?:train|probe)_loss$|sample_size/;

/** What is measured becomes zero when it fails, without a word: a variable, or what a function of a measure returns. */
function silenced(path: string, text: string): Mutation[] {
  const assigned = lines(text, /^( +)(\w+) = [^\n]*\([^\n]*\n/gm).filter(({ match }) =>
    MEASURE.test(match[2] ?? ''),
  );
  const returned = lines(text, /^( +)return [^\n]*\([^\n]*\n/gm).filter(({ at }) =>
    blocks(text).some(({ name, from, to }) => MEASURE.test(name) && from <= at && at < to),
  );
  const measured = [...assigned, ...returned].filter(({ match }) => !match[0].includes('nan'));
  return measured.map(({ at, match }) => {
    const [line, margin = '', name] = match;
    const zero = name === undefined ? 'return 0.0' : `${name} = 0.0`;
    const instead = `${margin}try:\n    ${line}${margin}except Exception:\n${margin}    ${zero}\n`;
    return {
      what: `${path} falls back at ${at}`,
      ...{ kinds: ['silent-fallback', 'hollow'] as const, paths: [path], word: '' },
      changes: { [path]: spliced(text, at, at + line.length, instead) },
    };
  });
}

/** Lines of code of this form that are whole statements. */
function lines(text: string, pattern: RegExp): { at: number; match: RegExpMatchArray }[] {
  const depths = new Map(codePlaces(text).map(({ at, depth }) => [at, depth]));
  return [...text.matchAll(pattern)]
    .map((match) => ({ at: match.index, match }))
    .filter(({ at, match }) => depths.get(at) === 0 && depths.get(at + match[0].length - 1) === 0);
}
