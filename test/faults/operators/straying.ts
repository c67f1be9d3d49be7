import type { Repository } from '../corpus.ts';
import { pythonFiles } from '../python-text.ts';
import { spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators after which a run uses another value than the plan states. */
export const STRAYING: readonly Operator[] = [
  { name: 'change a setting of the plan', sites: settingsChanged },
  { name: 'change the default of a flag', sites: defaultsChanged },
];

/** A number that is not the given one: a count is doubled, any other number halved. */
function otherThan(value: number): string {
  return String(Number.isInteger(value) && value > 1 ? 2 * value : value / 2);
}

/** A number of the plan that stands once in the settings is another one there. */
function settingsChanged({ tree, blueprint }: Repository): Mutation[] {
  const files = [...tree].filter(([path]) => /\.(ya?ml|json|toml)$/.test(path));
  return blueprint.configuration.flatMap(({ key, value }) => {
    const leaf = key.split('.').at(-1) ?? key;
    const pattern = new RegExp(`(?<=^|[\\s{,"])${leaf}"?\\s*[:=]\\s*`, 'gm');
    const found = files.flatMap(([path, text]) =>
      [...text.matchAll(pattern)].map((match) => ({ path, text, match })),
    );
    const [only] = found;
    if (only === undefined || found.length !== 1) return [];
    const at = only.match.index + only.match[0].length;
    const number = /^[\d.]+(?:e[-+]?\d+)?\b/.exec(only.text.slice(at))?.[0] ?? '';
    if (Number(number) !== Number(value) || !(Number(value) > 0)) return [];
    const changed = spliced(only.text, at, at + number.length, otherThan(Number(number)));
    return [changedValue(only.path, leaf, changed)];
  });
}

/** A flag that is named like a key of the plan and has its value as the default gets another. */
function defaultsChanged({ tree, blueprint }: Repository): Mutation[] {
  return pythonFiles(tree).flatMap(([path, text]) =>
    [...text.matchAll(/"--([\w-]+)"[^\n]*?\bdefault=([\d._e-]+)(?=[,)])/g)].flatMap((match) => {
      const [written, flag = '', number = ''] = match;
      const name = flag.replaceAll('-', '_');
      const value = Number(number.replaceAll('_', ''));
      const planned = blueprint.configuration.find(({ key }) => key === name);
      if (planned === undefined || Number(planned.value) !== value || value === 0) return [];
      const at = match.index + written.length;
      return [changedValue(path, name, spliced(text, at - number.length, at, otherThan(value)))];
    }),
  );
}

function changedValue(path: string, word: string, text: string): Mutation {
  return {
    what: `${path} has another ${word} than the plan`,
    ...{ kinds: ['changed-value'] as const, paths: [path], word },
    changes: { [path]: text },
  };
}
