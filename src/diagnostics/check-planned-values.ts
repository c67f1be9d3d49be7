import { SMALL } from './check-typed.ts';
import { countNames, lastPart, type Ledger, numberIn, plainName, statedNumbers } from './ledger.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { DefinedKey } from './settings-facts.ts';
import type { Sighting } from './sightings.ts';
import type { ToldCommand } from './told-commands.ts';
import { SETTINGS_MODULE } from './settings-module.ts';

/** A place that says what a setting is unless somebody changes it. */
interface Given {
  readonly path: string;
  readonly line: number;
  readonly value: string;
  /** Part of a sentence: `sets`, `defaults --rate to`. */
  readonly says: string;
}

/** Settings files, defaults of flags, fields of settings and scripts that give a key another value than plan and paper. */
export function changedFromPlan(
  ledger: Ledger,
  {
    holders,
    code,
    told,
  }: {
    readonly holders: readonly ParsedFile[];
    readonly code: readonly ParsedFile[];
    readonly told: readonly ToldCommand[];
  },
): Sighting[] {
  const names = countNames(ledger.configuration);
  return ledger.configuration.flatMap(({ key, value, requirements, deviates }) => {
    const planned = spelled(value);
    if (deviates || planned === undefined) return [];
    const stated = ledger.requirements
      .filter(({ id }) => requirements.includes(id))
      .flatMap((each) => statedNumbers(each, lastPart(key)));
    const allowed = new Set([...stated, planned]);
    const inFiles = keysIn(holders, key);
    // A name that two keys share is told apart by files alone.
    const isOne = names.get(plainName(lastPart(key))) === 1;
    const inCode = isOne ? defaultsIn(code, key) : [];
    const all = [...inFiles, ...inCode];
    // Where one of several places has the value, the others are variants.
    const isThere = all.some((one) => allowed.has(one.value));
    const isOther = all.some((one) => spelled(one.value) === undefined);
    const first = all.find(({ path }) => !SMALL.test(path));
    const wrong = isThere || isOther || first === undefined ? [] : [first];
    const scripted = isOne ? scriptsWith(told, code, { key, allowed }) : [];
    return [...wrong, ...scripted].map((one) =>
      sighting(one, { key, asked: requirements, wanted: [...allowed].join(' or ') }),
    );
  });
}

/** A number, or a list of numbers, as literals are spelled. */
function spelled(value: string): string | undefined {
  const number = numberIn(value);
  if (number !== undefined) return number;
  const items = /^[[(](.*)[\])]$/
    .exec(value.trim())?.[1]
    ?.split(',')
    .map((one) => numberIn(one));
  return items?.every((one) => one !== undefined) ? `[${items.join(', ')}]` : undefined;
}

function keysIn(holders: readonly ParsedFile[], key: string): Given[] {
  const isKey = ({ path, holds }: DefinedKey): boolean => {
    const dotted = path.join('.');
    return holds === 'value' && (dotted === key || dotted.endsWith(`.${key}`));
  };
  return holders.flatMap((file) =>
    (file.settings.defines ?? []).filter(isKey).map(({ line, value }) => ({
      path: file.path,
      line,
      value: value ?? '',
      says: `sets \`${key}\` to`,
    })),
  );
}

/** Flags, fields of settings and entries of defaults that are called like a key. */
function defaultsIn(code: readonly ParsedFile[], key: string): Given[] {
  const name = plainName(lastPart(key));
  return code.flatMap((file) => {
    const flags = file.code.commandLine.arguments.flatMap(
      ({ destination, flags: written, fallback, line }) =>
        fallback !== null && [destination, ...written].some((one) => plainName(one) === name)
          ? [
              {
                path: file.path,
                line,
                value: fallback,
                says: `takes \`${written.at(-1) ?? destination}\`, which defaults to`,
              },
            ]
          : [],
    );
    if (!SETTINGS_MODULE.test(file.path)) return flags;
    const fields = file.settings.classes.flatMap((one) =>
      one.fields
        .filter((field) => field.value !== null && plainName(field.name) === name)
        .map(({ line, value }) => ({
          path: file.path,
          line,
          value: value ?? '',
          says: `defaults \`${one.name}.${lastPart(key)}\` to`,
        })),
    );
    const entries = file.code.traces.literals
      .filter((one) => one.how === 'entry' && one.symbol === '' && plainName(one.name) === name)
      .map(({ line, value }) => ({
        path: file.path,
        line,
        value,
        says: `defaults \`${lastPart(key)}\` to`,
      }));
    return [...flags, ...fields, ...entries];
  });
}

/** Scripts all of whose commands give a flag one other value. */
function scriptsWith(
  told: readonly ToldCommand[],
  code: readonly ParsedFile[],
  {
    key,
    allowed,
  }: {
    readonly key: string;
    readonly allowed: ReadonlySet<string>;
  },
): Given[] {
  const name = plainName(lastPart(key));
  // A flag that lays itself over a key of another section is another's.
  if (
    !code.some(({ code: { commandLine } }) =>
      commandLine.arguments.some((one) => plainName(one.destination) === name),
    )
  )
    return [];
  const found = new Map<string, { command: ToldCommand; value: string | undefined }[]>();
  for (const command of told) {
    if (command.tellerPath === null || !command.tellerPath.endsWith('.sh')) continue;
    if (
      SMALL.test(command.tellerPath) ||
      command.target.given.some((word) => SMALL.test(word ?? ''))
    )
      continue;
    for (const [index, word] of command.target.given.entries()) {
      const [, flag = '', , inline] = /^--?([A-Za-z][\w-]*)(=(.*))?$/.exec(word ?? '') ?? [];
      if (plainName(flag) !== name) continue;
      const value = numberIn(inline ?? command.target.given[index + 1] ?? '');
      found.set(command.tellerPath, [...(found.get(command.tellerPath) ?? []), { command, value }]);
    }
  }
  return [...found].flatMap(([path, uses]) => {
    const [first] = uses;
    const values = new Set(uses.map(({ value }) => value));
    const value = first?.value;
    if (first === undefined || value === undefined || values.size > 1 || allowed.has(value))
      return [];
    return [
      {
        path,
        ...{ line: first.command.line, value, says: `gives \`${lastPart(key)}\` as` },
      },
    ];
  });
}

function sighting(
  { path, line, value, says }: Given,
  {
    key,
    asked,
    wanted,
  }: { readonly key: string; readonly asked: readonly string[]; readonly wanted: string },
): Sighting {
  const who = asked.length === 0 ? 'the plan' : asked.join(' and ');
  return {
    ...{ kind: 'changed-value', path, symbol: key, line },
    message: (places) =>
      `${path} ${says} ${value} ${places}, but ${who} ${asked.length > 1 ? 'ask' : 'asks'} for ${wanted}.`,
    remedy: `Set \`${key}\` to ${wanted}.`,
  };
}
