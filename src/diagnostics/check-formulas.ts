import { isReal, SMALL, type ValueSighting } from './check-typed.ts';
import { countNames, lastPart, type Ledger, numberIn, plainName } from './ledger.ts';
import type { ParsedFile } from './parsed-file.ts';
import { SETTINGS_MODULE } from './settings-module.ts';

/** Numbers that stand in every program. */
const TRIVIAL = /^-?[01]$/;
/** Words that a name may leave out. */
const UNIT =
  /^(epochs?|steps?|iterations?|iters?|size|rate|weight|coefficient|coef|factor|ratio|num|n|value|length|fraction)$/;
/** Functions that say what settings are. */
const SAYS_SETTINGS = /default|config|settings|hparams|options|parser|args/i;

/** Numbers of the plan that code says again: in a formula whose setting nothing takes, in a variable or a constant called like the setting. */
export function saidAgain(
  ledger: Ledger,
  {
    holders,
    code,
  }: { readonly holders: readonly ParsedFile[]; readonly code: readonly ParsedFile[] },
): ValueSighting[] {
  const names = countNames(ledger.configuration);
  const numbers = ledger.configuration.map(({ value }) => numberIn(value));
  const files = code.filter(({ path }) => !SETTINGS_MODULE.test(path) && !SMALL.test(path));
  const known = knownKeys(holders, code);
  const isTaken = takenNames(code);
  return ledger.configuration.flatMap(({ key, value, deviates }) => {
    const number = numberIn(value);
    const name = lastPart(key);
    if (number === undefined || deviates || TRIVIAL.test(number)) return [];
    if (names.get(plainName(name)) !== 1) return [];
    const isOnly = numbers.filter((one) => one === number).length === 1;
    const inFormulas =
      isOnly && known.said.has(name) && !isTaken(name)
        ? files.flatMap((file) =>
            file.code.traces.formulaNumbers
              .filter((one) => one.value === number && !SMALL.test(one.symbol))
              .map((one) => sighting(file, { ...one, name: '' }, { key, number })),
          )
        : [];
    if (inFormulas.length > 0) return inFormulas.slice(0, 1);
    return files.flatMap((file) =>
      file.code.traces.literals
        .filter(
          (one) =>
            one.how === 'variable' &&
            one.value === number &&
            isReal(one) &&
            !one.isConditional &&
            (one.symbol === ''
              ? known.inFiles.has(name) &&
                plainName(one.name) === plainName(name) &&
                file.code.traces.constantsUsed.includes(one.name)
              : known.any.has(name) && !SAYS_SETTINGS.test(one.symbol) && isShort(one.name, name)),
        )
        .map((one) => sighting(file, one, { key, number })),
    );
  });
}

interface KnownKeys {
  readonly inFiles: ReadonlySet<string>;
  readonly any: ReadonlySet<string>;
  /** Those, and strings, which may be keys. */
  readonly said: ReadonlySet<string>;
}

/** Names by which code can have settings: keys of files, fields, flags. */
function knownKeys(holders: readonly ParsedFile[], code: readonly ParsedFile[]): KnownKeys {
  const inFiles = new Set(
    holders.flatMap(({ settings }) =>
      (settings.defines ?? []).map(({ path }) => path.at(-1) ?? ''),
    ),
  );
  const inCode = code.flatMap(({ settings, code: { commandLine } }) => [
    ...settings.classes.flatMap(({ fields }) => fields.map(({ name }) => name)),
    ...commandLine.arguments.map(({ destination }) => destination),
  ]);
  const any = new Set([...inFiles, ...inCode]);
  return { inFiles, any, said: new Set([...any, ...code.flatMap((one) => one.settings.strings)]) };
}

/** Whether anything may read a name: as an attribute, by its string, as a parameter, or with all others. */
function takenNames(code: readonly ParsedFile[]): (name: string) => boolean {
  const own = new Set(
    code.flatMap(({ settings }) => [
      ...settings.flow.functions.map(({ symbol }) => symbol.split('.').at(-1) ?? ''),
      ...settings.classes.map(({ name }) => name),
    ]),
  );
  // A library that is given all settings may take any.
  const givesAll = code.some(({ code: { traces } }) =>
    traces.spreadsInto.some((name) => !own.has(name) && !/^(cls|dict|__init__)$/.test(name)),
  );
  const taken = new Set(
    code.flatMap(({ settings, code: { traces } }) =>
      [
        ...traces.attributesRead,
        ...traces.ownAttributesRead,
        ...traces.taken,
        ...settings.flow.functions.flatMap(({ parameters }) => parameters),
      ].map(plainName),
    ),
  );
  return (name) => givesAll || taken.has(plainName(name));
}

/** Whether a variable is called like a setting, or like it without its unit: `warmup` for `warmup_epochs`. */
function isShort(variable: string, key: string): boolean {
  if (plainName(variable) === plainName(key)) return true;
  const words = key.toLowerCase().split('_');
  const short = variable
    .toLowerCase()
    .replace(/^self\./, '')
    .split('_');
  const rest = words.filter((word) => !short.includes(word));
  return (
    short.every((word) => words.includes(word)) &&
    short.join('').length > 3 &&
    rest.every((word) => UNIT.test(word))
  );
}

function sighting(
  { path }: ParsedFile,
  { name, line, symbol }: { readonly name: string; readonly line: number; readonly symbol: string },
  { key, number }: { readonly key: string; readonly number: string },
): ValueSighting {
  const what = name === '' ? lastPart(key) : name;
  return {
    ...{ kind: 'hard-coded', path, line, unread: key },
    symbol: symbol === '' ? what : `${symbol}: ${what}`,
    message: (places) =>
      name === ''
        ? `${path} computes with ${number} ${places}, which is the setting \`${key}\`, and nothing reads that setting.`
        : `${path} sets \`${name}\` to ${number} ${places}, which is the setting \`${key}\`, so changing the setting does not change it there.`,
    remedy: `Take it from the setting \`${key}\`.`,
  };
}
