import type { Repository, Tree } from '../corpus.ts';
import { pythonFiles } from '../python-text.ts';
import { isTest, spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators after which the code runs, and does something else than settings, names and commands say. */
export const TRACING: readonly Operator[] = [
  { name: 'type a setting again', sites: ({ tree }) => settingsTyped(tree) },
  { name: 'fix a flag', sites: ({ tree }) => flagsFixed(tree) },
  { name: 'add what nothing calls', sites: lostFunctions },
  { name: 'exchange two names', sites: ({ tree }) => namesExchanged(tree) },
];

/** `rate=cfg["rate"]` becomes `rate=0.1`, where the key is read only there. */
function settingsTyped(tree: Tree): Mutation[] {
  const code = pythonFiles(tree);
  const settings = [...tree].filter(([path]) => /\.(ya?ml|toml)$/.test(path));
  return code.flatMap(([path, text]) =>
    [
      ...text.matchAll(
        /\b(\w+)=(?:\w+(?:\["\w+"\])*\["\1"\]|(?:float|int)\(\w+(?:\["\w+"\])*\["\1"\]\))/g,
      ),
    ].flatMap((read) => {
      const [written, key = ''] = read;
      const reads = code.flatMap(([, one]) => [...one.matchAll(new RegExp(`"${key}"`, 'g'))]);
      const value = settings
        .map(([, one]) => new RegExp(`^\\s*${key}\\s*[:=]\\s*([\\d.e-]+)\\s*$`, 'm').exec(one)?.[1])
        .find((one) => one !== undefined);
      if (reads.length !== 1 || value === undefined || isTest(path)) return [];
      const at = read.index;
      const changes = { [path]: spliced(text, at, at + written.length, `${key}=${value}`) };
      return [
        {
          what: `${path} has ${key}=${value}`,
          kinds: ['hard-coded'] as const,
          paths: [path],
          word: key,
          changes,
        },
      ];
    }),
  );
}

/** `args.rate = 7` after the command line is read. */
function flagsFixed(tree: Tree): Mutation[] {
  return pythonFiles(tree).flatMap(([path, text]) => {
    const parsed = /^( +)(\w+) = \w+\.parse_args\(.*\)\n/m.exec(text);
    if (parsed === null) return [];
    const [line, indentation = '', name = ''] = parsed;
    const flags = [...text.matchAll(/add_argument\("--(\w+)", type=(?:int|float)/g)];
    return flags.map(([, flag = '']) => {
      const at = parsed.index + line.length;
      const changes = { [path]: spliced(text, at, at, `${indentation}${name}.${flag} = 7\n`) };
      return {
        ...{ what: `${path} sets --${flag} to 7`, kinds: ['changed-value'] as const },
        ...{ paths: [path], word: flag, changes },
      };
    });
  });
}

/** A function more in the program that an experiment starts. */
function lostFunctions({ tree, blueprint }: Repository): Mutation[] {
  const runners = blueprint.experiments.map(({ command }) => /[\w/]+\.py/.exec(command)?.[0] ?? '');
  return [...new Set(runners)].flatMap((path) => {
    const text = tree.get(path);
    const at = text?.lastIndexOf('\nif __name__') ?? -1;
    if (text === undefined || at < 0) return [];
    const lost =
      '\ndef ablate_rate(values, rate=0.5):\n    return [rate * one for one in values]\n\n';
    return [
      {
        ...{ what: `${path} has ablate_rate`, kinds: ['unreached'] as const, paths: [path] },
        ...{ word: 'ablate_rate', changes: { [path]: spliced(text, at, at, lost) } },
      },
    ];
  });
}

/** `{"a": A, "b": B}` becomes `{"a": B, "b": A}`. */
function namesExchanged(tree: Tree): Mutation[] {
  return pythonFiles(tree).flatMap(([path, text]) =>
    [...text.matchAll(/\{"(\w+)": ([A-Z]\w+), "(\w+)": ([A-Z]\w+)/g)].map((match) => {
      const [written, first = '', one = '', second = '', other = ''] = match;
      const changed = `{"${first}": ${other}, "${second}": ${one}`;
      const at = match.index;
      return {
        ...{ what: `${path} has ${changed}`, kinds: ['crossed-name'] as const, paths: [path] },
        ...{ word: '', changes: { [path]: spliced(text, at, at + written.length, changed) } },
      };
    }),
  );
}
