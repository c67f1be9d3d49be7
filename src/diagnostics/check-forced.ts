import { SMALL } from './check-typed.ts';
import { countNames, lastPart, type Ledger, numberIn, plainName, statedNumbers } from './ledger.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import type { ForcedValue } from './trace-facts.ts';

interface Promised {
  readonly key: string;
  /** Of several, as where the paper contradicts itself, any will do. */
  readonly values: readonly string[];
}

/** Bounds that cut the values of settings off, and numbers that replace them, in every run. */
export function forcedValues(
  ledger: Ledger,
  {
    holders,
    code,
  }: { readonly holders: readonly ParsedFile[]; readonly code: readonly ParsedFile[] },
): Sighting[] {
  const promised = promisedNumbers(ledger, holders);
  return code.flatMap((file) =>
    file.code.traces.forced.flatMap((one) => {
      const planned = promised.get(plainName(one.name));
      if (planned === undefined || planned.values.some((value) => leaves(one, value))) return [];
      return [sighting(file, one, planned)];
    }),
  );
}

/** By its plain name each number of the plan, and of the settings files where the plan has none. */
function promisedNumbers(
  ledger: Ledger,
  holders: readonly ParsedFile[],
): ReadonlyMap<string, Promised> {
  const defined = holders
    .filter(({ path }) => !SMALL.test(path))
    .flatMap(({ settings }) => settings.defines ?? [])
    .flatMap(({ path, value }) => (value === null ? [] : [{ key: path.join('.'), value }]));
  const known = new Map<string, Promised>();
  const add = (keys: readonly { readonly key: string; readonly values: string[] }[]): void => {
    const counts = countNames(keys);
    for (const { key, values } of keys) {
      const name = plainName(lastPart(key));
      if (counts.get(name) === 1 && values.length > 0) known.set(name, { key, values });
    }
  };
  const numbers = (values: readonly string[]): string[] =>
    values.flatMap((value) => numberIn(value) ?? []);
  add(defined.map(({ key, value }) => ({ key, values: numbers([value]) })));
  add(
    ledger.configuration.map(({ key, value, requirements, deviates }) => {
      const stated = ledger.requirements
        .filter(({ id }) => requirements.includes(id))
        .flatMap((each) => statedNumbers(each, lastPart(key)));
      return { key, values: deviates ? [] : [...numbers([value]), ...stated] };
    }),
  );
  return known;
}

/** Whether a setting of that value stays what it is. */
function leaves({ value, how }: ForcedValue, planned: string): boolean {
  switch (how) {
    case 'at-most':
      return Number(planned) <= Number(value);
    case 'at-least':
      return Number(planned) >= Number(value);
    case 'instead':
      return planned === value;
  }
}

const SAYS: Readonly<Record<ForcedValue['how'], string>> = {
  'at-most': 'takes no more than',
  'at-least': 'takes no less than',
  instead: 'puts in the place of the setting the number',
};

function sighting(
  { path }: ParsedFile,
  { name, value, how, line, symbol }: ForcedValue,
  { key, values }: Promised,
): Sighting {
  return {
    ...{ kind: 'changed-value', path, line },
    symbol: symbol === '' ? name : `${symbol}: ${name}`,
    message: (places) =>
      `${path} ${SAYS[how]} ${value} for \`${name}\` ${places}, whatever the settings say, but \`${key}\` is to be ${values.join(' or ')}.`,
    remedy: `Use the value of \`${key}\` that the settings have.`,
  };
}
