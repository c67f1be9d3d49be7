import type { UnusedKey } from './check-unused-keys.ts';
import { lastPart, type Ledger, numberIn, plainName } from './ledger.ts';
import type { ModuleMap } from './module-map.ts';
import { loadedFrom } from './module-reach.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import type { LiteralFact } from './trace-facts.ts';

/** Settings that are small on purpose. */
export const SMALL = /smoke|test|debug|tiny|quick|toy|fixture|demo|ci\b|sanity/i;
/** Numbers that stand in every program. */
const COMMON = /^-?(\d|100|0\.5|1000)$/;

/** Where a literal is told that stands in the place of a setting: the key that nothing reads. */
export interface ValueSighting extends Sighting {
  readonly unread?: string;
}

/** Keys that nothing reads, while the code that loads their file has their number itself: under their name, or in a call. */
export function typedAgain(
  map: ModuleMap,
  code: readonly ParsedFile[],
  unused: readonly UnusedKey[],
): ValueSighting[] {
  return unused.flatMap(({ key, loaders }) => {
    const dotted = key.path.join('.');
    const name = plainName(lastPart(dotted));
    const value = key.value ?? '';
    if (numberIn(value) === undefined) return [];
    const near = loadedFrom(map, loaders);
    const literals = code
      .filter(({ path }) => near.has(path))
      .flatMap((file) => file.code.traces.literals.filter(isReal).map((one) => ({ file, one })));
    const named = literals.filter(({ one }) => plainName(one.name) === name);
    const equal = named.filter(({ one }) => one.value === value);
    // What a function takes when it is given nothing may be as the settings are.
    const same = equal.find(({ one }) => one.how !== 'default') ?? equal[0];
    const other = named.find(
      ({ one }) => one.how === 'argument' && numberIn(one.value) !== undefined,
    );
    const unnamed = literals.filter(
      ({ one }) =>
        /^(place|argument)$/.test(one.how) &&
        one.value === value &&
        (!COMMON.test(value) || isAbout(`${one.of} ${one.name}`, lastPart(dotted))),
    );
    const told = same ?? other ?? (unnamed.length === 1 ? unnamed[0] : undefined);
    return told === undefined ? [] : [literalSighting(told, { key: dotted, value })];
  });
}

/** Whether what is called, or its argument, shares a word with a setting: `clip_grad_norm_` and `grad_clip`. */
function isAbout(written: string, name: string): boolean {
  const words = (text: string): string[] => text.toLowerCase().split(/[^a-z]+/);
  return words(written).some(
    (word) =>
      word.length > 3 &&
      words(name).some((one) => one.length > 3 && (word.includes(one) || one.includes(word))),
  );
}

/** Arguments that are called like a setting and given its number, where the settings are to be had. */
export function typedBesideSettings(
  ledger: Ledger,
  {
    holders,
    code,
  }: { readonly holders: readonly ParsedFile[]; readonly code: readonly ParsedFile[] },
): ValueSighting[] {
  const fields = code.flatMap(({ settings }) =>
    settings.classes.flatMap((one) => one.fields.map(({ name }) => name)),
  );
  const keys = holders.flatMap(({ settings }) => settings.defines ?? []);
  const flags = code.flatMap((file) =>
    file.code.commandLine.arguments.map(({ destination }) => destination),
  );
  const known = new Set([...fields, ...flags, ...keys.map(({ path }) => path.at(-1) ?? '')]);
  return ledger.configuration.flatMap(({ key, value }) => {
    const name = lastPart(key);
    const number = numberIn(value);
    if (number === undefined || /^-?[01]$/.test(number) || !known.has(name)) return [];
    return code.flatMap((file) =>
      file.code.traces.literals
        .filter(
          (one) =>
            one.how === 'argument' && one.name === name && one.value === number && isReal(one),
        )
        .map((one) => besideSighting(file, one, key)),
    );
  });
}

function besideSighting({ path }: ParsedFile, one: LiteralFact, key: string): ValueSighting {
  return {
    ...{ kind: 'hard-coded', path, symbol: symbolOf(one, key), line: one.line, unread: key },
    message: (places) =>
      `${path} gives \`${one.of}\` \`${one.name}\` = ${one.value} ${places}, which is the setting \`${key}\`, so changing the setting does not change it there.`,
    remedy: `Take \`${one.name}\` from the setting \`${key}\`.`,
  };
}

/** Whether it is said in the course of the work. */
export function isReal({ symbol, of }: LiteralFact): boolean {
  return !SMALL.test(symbol) && !/(^|\.)(add_argument|option|\w*[fF]ield)$/.test(of);
}

/** That a file says a number itself which a setting holds. */
export function literalSighting(
  { file, one }: { readonly file: ParsedFile; readonly one: LiteralFact },
  { key, value }: { readonly key: string; readonly value: string },
): ValueSighting {
  const { path } = file;
  const isSame = one.value === value;
  return {
    ...{ kind: isSame ? 'hard-coded' : 'changed-value', path, line: one.line },
    symbol: symbolOf(one, key),
    unread: key,
    message: (places) =>
      one.name === ''
        ? `${path} gives \`${one.of}\` the number ${one.value} ${places}, and nothing reads the setting \`${key}\`, which holds it.`
        : isSame
          ? `${path} sets \`${one.name}\` to ${one.value} ${places}, and nothing reads the setting \`${key}\`, which holds that value.`
          : `${path} passes ${one.value} as \`${one.name}\` ${places}, and nothing reads the setting \`${key}\`, which is ${value}.`,
    remedy: `Take ${one.name === '' ? 'it' : `\`${one.name}\``} from the setting \`${key}\`.`,
  };
}

function symbolOf({ name, symbol }: LiteralFact, key: string): string {
  const what = name === '' ? lastPart(key) : name;
  return symbol === '' ? what : `${symbol}: ${what}`;
}
