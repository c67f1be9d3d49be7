import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';
import type { AffixedKey, NamedArgument } from './trace-facts.ts';

/** Shorter ones may stand at the end of anything. */
const LEAST_LENGTH = 3;

/** Keys that are put together from a name and an ending, and that nothing writes so: the ending is added twice, or is another than the one that is written. */
export function checkAffixes(map: ModuleMap, planned: readonly string[]): Sighting[] {
  if (planned.some((path) => path.endsWith('.py'))) return [];
  const files = [...map.files.values()];
  const code = files.filter(({ path, language }) => language === 'python' && !isTest(path));
  if (code.some(({ problems }) => problems.length > 0)) return [];
  const all = [
    ...files.flatMap(({ settings }) => [
      ...settings.strings,
      ...settings.templates,
      ...settings.names,
      ...(settings.defines ?? []).map(({ path }) => path.at(-1) ?? ''),
    ]),
  ];
  return [...addedTwice(code, all), ...writtenOtherwise(code, all)];
}

/** `mean_of(rows, "loss_mean")`, where `mean_of` looks up `f"{name}_mean"`. */
function addedTwice(code: readonly ParsedFile[], all: readonly string[]): Sighting[] {
  const functions = code.flatMap((file) =>
    file.settings.flow.functions.map(({ symbol, parameters }) => ({ file, symbol, parameters })),
  );
  return code.flatMap((file) =>
    file.code.traces.affixed.flatMap((key) => {
      const name = key.symbol.split('.').at(-1) ?? '';
      const rivals = functions.filter(({ symbol }) => symbol.split('.').at(-1) === name);
      const [own] = rivals;
      if (own === undefined || rivals.length > 1) return [];
      const isBound = /^(self|cls)$/.test(own.parameters[0] ?? '');
      const index = key.index - (isBound ? 1 : 0);
      const affix = key.after === '' ? key.before : key.after;
      const twice = affix + affix;
      if (affix.length < LEAST_LENGTH || all.some((one) => holds(one, twice, key))) return [];
      return code.flatMap((caller) =>
        caller.code.traces.namedArguments
          .filter(
            (one) =>
              one.callee === name &&
              (one.slot === key.parameter || one.slot === index) &&
              holds(one.template, affix, key),
          )
          .map((one) => twiceSighting({ caller, one }, { file, key, affix })),
      );
    }),
  );
}

/** Whether a string begins or ends as a key does. */
function holds(written: string, affix: string, { after }: AffixedKey): boolean {
  return after === '' ? written.startsWith(affix) : written.endsWith(affix);
}

function twiceSighting(
  { caller, one }: { readonly caller: ParsedFile; readonly one: NamedArgument },
  {
    file,
    key,
    affix,
  }: { readonly file: ParsedFile; readonly key: AffixedKey; readonly affix: string },
): Sighting {
  const given = shown(one.template);
  return {
    ...{ kind: 'undefined-key', path: caller.path, line: one.line },
    symbol: one.symbol === '' ? given : `${one.symbol}: ${given}`,
    message: (places) =>
      `${caller.path} gives \`${one.callee}\` the name \`${given}\` ${places}, but \`${key.symbol}\` of ${file.path} adds \`${affix}\` itself, so it looks up \`${shown(key.before + one.template + key.after)}\`, which nothing writes.`,
    remedy: `Give \`${one.callee}\` the name without \`${affix}\`.`,
  };
}

/** `row[f"{name}_mean"]`, where everything that is written ends in `_avg`. */
function writtenOtherwise(code: readonly ParsedFile[], all: readonly string[]): Sighting[] {
  const made = code.flatMap((file) => file.code.traces.made);
  // Names that are joined from parts may end in anything.
  if (all.some((one) => /\0[_/ .-]\0$|^[_/.-]$/.test(one))) return [];
  const names = new Set(code.flatMap(({ settings }) => [...settings.names, ...settings.keywords]));
  return code.flatMap((file) =>
    file.code.traces.sought.flatMap(({ template, line, symbol }): Sighting[] => {
      const [before = '', after = '', ...more] = template.split('\0');
      const [affix, isEnding] = after === '' ? [before, false] : [after, true];
      if (more.length > 0 || affix.length < LEAST_LENGTH || (before !== '' && after !== ''))
        return [];
      const fits = (one: string): boolean =>
        isEnding ? one.endsWith(affix) : one.startsWith(affix);
      if (made.length === 0 || [...made, ...names].some(fits)) return [];
      const written = shown(template);
      return [
        {
          ...{ kind: 'undefined-key', path: file.path, line },
          symbol: symbol === '' ? written : `${symbol}: ${written}`,
          message: (places) =>
            `${file.path} looks up \`${written}\` ${places}, but nothing in the repository writes a key that ${isEnding ? 'ends' : 'begins'} so.`,
          remedy: `Look it up under the name by which it is written.`,
        },
      ];
    }),
  );
}

function shown(template: string): string {
  return template.replaceAll('\0', '{}');
}
