import { lastPart, type Ledger, numberIn, ownersOf, plainName } from './ledger.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

/** Numbers that stand in every program. */
const COMMON = /^-?(0|1|2|10|100|0\.5)$/;

/** Numbers of the plan that neither stand anywhere nor have a name anywhere. */
export function absent(
  ledger: Ledger,
  { files, code }: { readonly files: readonly ParsedFile[]; readonly code: readonly ParsedFile[] },
): Sighting[] {
  const numbers = new Set([
    ...code.flatMap(({ code: { traces } }) => traces.numbers),
    ...files.flatMap(({ settings }) =>
      (settings.defines ?? []).flatMap(({ value }) => value?.match(/[\d.]+(e[-+]?\d+)?/g) ?? []),
    ),
  ]);
  const names = [...new Set(files.flatMap(namesIn))];
  return ledger.configuration.flatMap(({ key, value, requirements, deviates }) => {
    const number = numberIn(value);
    const [owner] = ownersOf(ledger, requirements).filter((path) => path.endsWith('.py'));
    const isKnown =
      number === undefined ||
      COMMON.test(number) ||
      [number, ...formsOf(number)].some((one) => numbers.has(one));
    if (deviates || owner === undefined || isKnown || !code.some(({ path }) => path === owner))
      return [];
    const name = plainName(lastPart(key));
    if (names.some((one) => one.includes(name) || (one.length > 3 && name.includes(one))))
      return [];
    return [
      {
        ...{ kind: 'changed-value', path: owner, symbol: key, line: 0 },
        message: () =>
          `${owner} is to carry out ${requirements.join(' and ')} with \`${key}\` = ${value}, but no file has that value or anything of that name.`,
        remedy: `Define \`${key}\` as ${value} in the settings and use it in ${owner}.`,
      },
    ];
  });
}

/** What a number may be written as: in percent, as what is left of one, without its sign, as a power. */
function formsOf(number: string): string[] {
  const value = Number(number);
  const forms = [
    value * 100,
    value / 100,
    1 - value,
    1 / value,
    -value,
    value * 1000,
    value / 1000,
    Math.log2(value),
    Math.log10(value),
  ];
  return forms.map((one) => String(Number(one.toPrecision(12))));
}

function namesIn({ settings }: ParsedFile): string[] {
  const keys = (settings.defines ?? []).flatMap(({ path }) => path);
  return [...settings.names, ...settings.keywords, ...settings.strings, ...keys]
    .map(plainName)
    .filter((one) => one.length > 1);
}
