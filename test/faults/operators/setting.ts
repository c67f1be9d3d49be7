import type { Repository, Tree } from '../corpus.ts';
import { closingOf, codePlaces, partsBetween, pythonFiles } from '../python-text.ts';
import { isTest, occurrences, spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators after which commands, settings, requirements or the plan no longer fit the code. */
export const SETTING: readonly Operator[] = [
  { name: 'rename a flag in a command', sites: ({ tree }) => flagsRenamed(tree) },
  { name: 'rename a runner in a command', sites: ({ tree }) => runnersRenamed(tree) },
  { name: 'delete a runner', sites: ({ tree }) => runnersDeleted(tree) },
  { name: 'rename a setting', sites: ({ tree }) => keysRenamed(tree) },
  { name: 'add a setting', sites: ({ tree }) => keysAdded(tree) },
  { name: 'drop a requirement', sites: ({ tree }) => requirementsDropped(tree) },
  { name: 'rename what a matrix names', sites: namesChanged },
  { name: 'drop a measure', sites: measuresDropped },
];

function allCode(tree: Tree): string {
  return pythonFiles(tree)
    .map(([, text]) => text)
    .join('\n');
}

/** Commands of scripts and of README that start Python, each with the lines that continue it. */
function commands(tree: Tree): { path: string; text: string; command: string; index: number }[] {
  return [...tree]
    .filter(([path]) => /\.(sh|md)$/.test(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/python3? (?:-m )?[\w./]+(?:\\\n|[^\n`;|])*/g)].map(
        ({ 0: command, index }) => ({
          path,
          text,
          command,
          index,
        }),
      ),
    );
}

function flagsRenamed(tree: Tree): Mutation[] {
  const code = allCode(tree);
  return commands(tree).flatMap(({ path, text, command, index }) =>
    [...command.matchAll(/(?<=\s)--[a-z][a-z-]*/g)].flatMap(({ 0: flag, index: at }) => {
      if (!code.includes(`"${flag}"`)) return [];
      return [
        {
          what: `${path} says ${flag}-value`,
          kinds: ['undefined-flag'],
          paths: [path, ...pythonFiles(tree).map(([file]) => file)],
          word: `${flag}-value`,
          changes: { [path]: spliced(text, index + at, index + at + flag.length, `${flag}-value`) },
        },
      ];
    }),
  );
}

function runnersRenamed(tree: Tree): Mutation[] {
  return commands(tree).flatMap(({ path, text, command, index }) => {
    const runner = /[\w/]+\.py/.exec(command);
    if (runner === null || !tree.has(runner[0])) return [];
    const other = runner[0].replace(/\.py$/, '_experiment.py');
    const at = index + runner.index;
    return [
      {
        what: `${path} starts ${other}`,
        kinds: ['missing-entry-point'],
        paths: [path],
        word: other,
        changes: { [path]: spliced(text, at, at + runner[0].length, other) },
      },
    ];
  });
}

function runnersDeleted(tree: Tree): Mutation[] {
  const named = commands(tree).map(({ command }) => /[\w/]+\.py/.exec(command)?.[0] ?? '');
  return [...new Set(named)]
    .filter((path) => tree.has(path))
    .map((path) => ({
      what: `${path} is not there`,
      kinds: ['missing', 'missing-entry-point'],
      paths: ['*'],
      word: path,
      changes: { [path]: null },
    }));
}

/** Keys that stand once in all settings, and are read in the code by subscript or by `cfg.`. */
function keysRenamed(tree: Tree): Mutation[] {
  const code = allCode(tree);
  const files = [...tree].filter(([path]) => /(configs|settings).*\.(ya?ml|json|toml)$/.test(path));
  const all = files.map(([, text]) => text).join('\n');
  return files.flatMap(([path, text]) =>
    [...text.matchAll(/(?<=^|[\s{,"])[a-z]\w+(?="?\s*[:=])/gm)].flatMap(({ 0: key, index }) => {
      const isRead =
        code.includes(`["${key}"]`) || new RegExp(`\\bcfg\\.(\\w+\\.)*${key}\\b`).test(code);
      if (!isRead || occurrences(all, key) !== 1) return [];
      return [
        {
          what: `${path} says ${key}_value`,
          kinds: ['undefined-key'],
          paths: [path, ...pythonFiles(tree).map(([file]) => file)],
          word: key,
          changes: { [path]: spliced(text, index, index + key.length, `${key}_value`) },
        },
      ];
    }),
  );
}

/** Settings beside one that the code reads by its name, so that nothing can read them all. */
function keysAdded(tree: Tree): Mutation[] {
  const code = allCode(tree);
  return [...tree]
    .filter(([path]) => /(configs|settings).*\.(ya?ml|toml)$/.test(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^( *)([a-z]\w+)(: | = )[\w.-]+\n/gm)].flatMap((match) => {
        const [line, margin = '', key = '', sign = ''] = match;
        if (!code.includes(`["${key}"]`)) return [];
        const at = match.index + line.length;
        return [
          {
            what: `${path} has a clip_norm beside ${key}`,
            kinds: ['unused-key'],
            paths: [path],
            word: 'clip_norm',
            changes: { [path]: spliced(text, at, at, `${margin}clip_norm${sign}1.0\n`) },
          },
        ];
      }),
    );
}

const MODULE_OF: Readonly<Record<string, string>> = {
  'scikit-learn': 'sklearn',
  PyYAML: 'yaml',
  pyyaml: 'yaml',
  Pillow: 'PIL',
  'opencv-python-headless': 'cv2',
};

function requirementsDropped(tree: Tree): Mutation[] {
  const text = tree.get('requirements.txt') ?? '';
  return [...text.matchAll(/^([A-Za-z][\w-]*)[^;\n]*\n/gm)].flatMap(
    ({ 0: line, 1: name = '', index }) => {
      const module = MODULE_OF[name] ?? name;
      const pattern = new RegExp(`^(?:import|from) ${module}\\b`, 'm');
      const users = pythonFiles(tree).filter(([path, code]) => pattern.test(code) && !isTest(path));
      if (users.length === 0) return [];
      return [
        {
          what: `no requirement brings ${module}`,
          kinds: ['undeclared-package'],
          paths: ['requirements.txt', ...users.map(([path]) => path)],
          word: module,
          changes: { 'requirements.txt': spliced(text, index, index + line.length, '') },
        },
      ];
    },
  );
}

/** Names of the matrix that the code has once, within quotes, and no settings have: there they are offered. */
function namesChanged({ tree, blueprint }: Repository): Mutation[] {
  const values = blueprint.experiments.flatMap(({ axes }) => axes.flatMap((axis) => axis.values));
  const settings = [...tree].filter(([path]) => /\.(ya?ml|json|toml)$/.test(path));
  return [...new Set(values)].flatMap((value) => {
    if (settings.some(([, text]) => occurrences(text, value) > 0)) return [];
    const users = pythonFiles(tree).filter(([, text]) => text.includes(`"${value}"`));
    const [path, text] = users[0] ?? ['', ''];
    const isOnce = users.length === 1 && text.split(`"${value}"`).length === 2;
    // A default or a comparison may leave the name to be given freely.
    if (!isOnce || new RegExp(`(?:default=|== )"${value}"`).test(text)) return [];
    return [
      {
        what: `${path} offers ${value}_v2 for ${value}`,
        kinds: ['unoffered-name'],
        paths: ['*'],
        word: value,
        changes: { [path]: text.replace(`"${value}"`, `"${value}_v2"`) },
      },
    ];
  });
}

/** A measure with a file, left out wherever it is handed to what writes; what computes it stays. */
function measuresDropped({ tree, blueprint }: Repository): Mutation[] {
  const measures = blueprint.experiments.flatMap((experiment) => experiment.measures);
  const names = new Set(measures.filter(({ file }) => file !== '').map(({ name }) => name));
  return [...names].flatMap((name) => {
    const changes = pythonFiles(tree).map(
      ([path, text]) => [path, withoutPart(text, name)] as const,
    );
    const isDropped = changes.some(([path, text]) => text !== tree.get(path));
    if (!isDropped || changes.some(([, text]) => text.includes(`"${name}"`))) return [];
    return [
      {
        what: `the code does not write ${name}`,
        kinds: ['unwritten-measure' as const],
        paths: ['*'],
        word: name,
        changes: Object.fromEntries(changes),
      },
    ];
  });
}

/** A text without the entries, keywords and list items of this name. */
function withoutPart(text: string, name: string): string {
  const pattern = new RegExp(`^("${name}"( *:[^]*)?|${name} *=[^=][^]*)$`);
  for (const { at, character } of codePlaces(text)) {
    if (!'([{'.includes(character)) continue;
    const to = closingOf(text, at) ?? at;
    const parts = partsBetween(text, at + 1, to);
    if (parts.length < 2 || !parts.some((part) => pattern.test(part))) continue;
    const rest = parts.filter((part) => !pattern.test(part) && part !== name);
    return withoutPart(spliced(text, at + 1, to, rest.join(', ')), name);
  }
  return text;
}
