import { absent } from './check-absent.ts';
import { saidAgain } from './check-formulas.ts';
import { forcedValues } from './check-forced.ts';
import { changedFromPlan } from './check-planned-values.ts';
import {
  isReal,
  literalSighting,
  SMALL,
  typedAgain,
  typedBesideSettings,
  type ValueSighting,
} from './check-typed.ts';
import type { UnusedKey } from './check-unused-keys.ts';
import { countNames, lastPart, type Ledger, numberIn, ownersOf, plainName } from './ledger.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';
import type { ToldCommand } from './told-commands.ts';

/** Names under which anything may be kept. */
const ANY =
  /^(name|path|file|type|size|dim|n|k|m|d|p|x|y|i|j|id|key|value|mode|dir|root|device|verbose|version|title|label|color|format|data|model|method|width|height|index|start|end|min|max|count|scale|alpha|seed|split|level|limit|timeout|workers|numworkers)$/;
/** Modules that are settings themselves. */
const SETTINGS_MODULE =
  /(^|\/)[\w]*(config|conf|settings|hparams|hyperparams|constants|defaults|params)\w*\.py$/i;

/** Values that the plan or a settings file promises and the code does not take from there. */
export function checkValues(
  map: ModuleMap,
  planned: readonly string[],
  {
    ledger,
    unusedKeys,
    commands,
  }: {
    readonly ledger: Ledger;
    readonly unusedKeys: readonly UnusedKey[];
    readonly commands: readonly ToldCommand[];
  },
): ValueSighting[] {
  if (planned.some((path) => /\.(py|ya?ml|json|toml)$/.test(path))) return [];
  const files = [...map.files.values()].filter(({ path }) => !isTest(path));
  const code = files.filter(({ language }) => language === 'python');
  if (code.some(({ problems }) => problems.length > 0)) return [];
  const all = files.filter(({ settings }) => settings.defines !== null);
  const holders = all.filter(({ path }) => !SMALL.test(path));
  const keys = promisedKeys(ledger, holders);
  const typed = typedAgain(map, code, unusedKeys);
  const told = new Set(typed.map(({ unread }) => unread));
  const again = saidAgain(ledger, { holders: all, code }).filter(({ unread }) => !told.has(unread));
  const beside = typedBesideSettings(ledger, { holders: all, code });
  return [
    ...typed,
    ...beside.filter(
      (one) => !typed.some(({ path, symbol }) => path === one.path && symbol === one.symbol),
    ),
    ...hardCoded(
      keys.filter(({ key }) => !told.has(key) && !again.some(({ unread }) => unread === key)),
      code,
    ),
    ...again,
    ...changedFromPlan(ledger, { holders: all, code, told: commands }),
    ...absent(ledger, { files, code }),
    ...overridden(holders, code),
    ...forcedValues(ledger, { holders: all, code }),
  ];
}

/** A setting that someone is promised. */
interface PromisedKey {
  readonly key: string;
  readonly value: string;
  /** Files in which its value may only come from settings; null for all. */
  readonly owners: readonly string[] | null;
}

/** Keys of settings files whose last part is theirs alone, and those of the plan. */
function promisedKeys(ledger: Ledger, holders: readonly ParsedFile[]): PromisedKey[] {
  const known = new Map<string, PromisedKey>();
  for (const { key, value, requirements } of ledger.configuration) {
    const number = numberIn(value);
    const owners = ownersOf(ledger, requirements);
    if (number !== undefined && owners.length > 0) known.set(key, { key, value: number, owners });
  }
  const defined = holders.flatMap(({ settings }) => settings.defines ?? []);
  for (const { path, value } of defined) {
    const isNumber = value !== null && numberIn(value) !== undefined;
    if (isNumber) known.set(path.join('.'), { key: path.join('.'), value, owners: null });
  }
  const names = countNames(known.values());
  return [...known.values()].filter(({ key }) => {
    const name = plainName(lastPart(key));
    return names.get(name) === 1 && !ANY.test(name);
  });
}

/** Keys that nothing reads, while the code has a literal under their name. */
function hardCoded(keys: readonly PromisedKey[], code: readonly ParsedFile[]): ValueSighting[] {
  const read = namesRead(code);
  const spreads = code.some(({ settings }) => settings.flow.spreads.length > 0);
  return keys.flatMap(({ key, value, owners }) => {
    const name = plainName(lastPart(key));
    const outer = key.split('.').slice(0, -1).map(plainName);
    // A section that is handed on whole takes its keys along.
    if (read.has(name) || (spreads && outer.some((one) => read.has(one)))) return [];
    const found = code
      .filter(({ path }) => !SETTINGS_MODULE.test(path) && owners?.includes(path) !== false)
      .flatMap((file) =>
        file.code.traces.literals
          .filter((one) => plainName(one.name) === name && one.how !== 'setting' && isReal(one))
          .map((one) => ({ file, one })),
      );
    const same = found.find(({ one }) => one.value === value);
    const other = owners === null ? found.find(({ one }) => one.how === 'argument') : undefined;
    const told = same ?? other;
    return told === undefined ? [] : [literalSighting(told, { key, value })];
  });
}

/** The names by which code may read settings: attributes, strings, flags and declared fields. */
function namesRead(code: readonly ParsedFile[]): ReadonlySet<string> {
  return new Set(
    code.flatMap(({ code: { traces, commandLine }, settings }) =>
      [
        ...traces.attributesRead,
        // `get("train.lr")` reads `lr`.
        ...settings.strings.flatMap((text) => [text, lastPart(text)]),
        ...commandLine.arguments.flatMap(({ flags, destination }) => [...flags, destination]),
        ...settings.classes.flatMap(({ fields }) => fields.map(({ name }) => name)),
      ].map(plainName),
    ),
  );
}

/** Values taken from settings and replaced by a literal before they are used. */
function overridden(holders: readonly ParsedFile[], code: readonly ParsedFile[]): Sighting[] {
  const defined = new Set(
    holders.flatMap(({ settings }) =>
      (settings.defines ?? []).map(({ path }) => path.at(-1) ?? ''),
    ),
  );
  const flags = new Set(
    code.flatMap(({ code: facts }) => facts.commandLine.arguments.map((one) => one.destination)),
  );
  return code.flatMap((file) => {
    return file.code.traces.literals
      .filter((one) => {
        if (!isReal(one)) return false;
        if (one.overrides) return true;
        const isNumber = numberIn(one.value) !== undefined;
        const isSetting = one.how === 'setting' && one.ofSettings;
        return (
          isSetting &&
          isNumber &&
          !one.isConditional &&
          (defined.has(one.name) || flags.has(one.name))
        );
      })
      .map((one): Sighting => ({
        ...{ kind: 'changed-value', path: file.path, line: one.line },
        symbol: one.symbol === '' ? one.name : `${one.symbol}: ${one.name}`,
        message: (places) =>
          `${file.path} sets \`${one.name}\` to ${one.value} ${places} whatever the settings say.`,
        remedy: `Use the value of \`${one.name}\` that the settings have.`,
      }));
  });
}
