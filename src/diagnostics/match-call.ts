import type { Parameter } from './class-facts.ts';
import type { CallFact } from './code-facts.ts';
import { nearestName } from './nearest-name.ts';

/** Why a call cannot succeed: part of a sentence, and what to do. */
export interface Mismatch {
  readonly what: string;
  readonly remedy: string;
}

/** How a call fits parameters; undefined when it fits or can't be judged. */
export function mismatchOf(
  call: Pick<CallFact, 'positional' | 'keywords' | 'hasRest' | 'hasKeywords' | 'written'>,
  parameters: readonly Parameter[],
): Mismatch | undefined {
  const places = parameters.filter(({ kind }) => kind === 'positional' || kind === 'either');
  return (
    unknownKeyword(call, parameters) ??
    tooMany(call, parameters, places) ??
    givenTwice(call, places) ??
    missing(call, parameters, places)
  );
}

type Call = Parameters<typeof mismatchOf>[0];

function unknownKeyword(
  { keywords, written }: Call,
  parameters: readonly Parameter[],
): Mismatch | undefined {
  if (parameters.some(({ kind }) => kind === 'keywords')) return undefined;
  const names = parameters
    .filter(({ kind }) => kind === 'either' || kind === 'keyword')
    .map(({ name }) => name);
  const unknown = keywords.find((keyword) => !names.includes(keyword));
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, names);
  const instead = near === undefined ? '' : `pass \`${near}=\`, or `;
  return {
    what: `gives \`${written}\` the argument \`${unknown}=\`, which it does not take`,
    remedy: `${instead}leave \`${unknown}\` out, or add it to the parameters`,
  };
}

function tooMany(
  { positional, written }: Call,
  parameters: readonly Parameter[],
  places: readonly Parameter[],
): Mismatch | undefined {
  if (positional <= places.length || parameters.some(({ kind }) => kind === 'rest'))
    return undefined;
  const takes = places.length === 0 ? 'none' : `at most ${places.length}`;
  return {
    what: `gives \`${written}\` ${count(positional)}, but it takes ${takes}`,
    remedy: 'pass what it takes, keyword-only parameters by name, or add the parameter',
  };
}

function givenTwice(
  { positional, keywords, written }: Call,
  places: readonly Parameter[],
): Mismatch | undefined {
  const twice = places
    .slice(0, positional)
    .find(({ name, kind }) => kind === 'either' && keywords.includes(name));
  if (twice === undefined) return undefined;
  return {
    what: `gives \`${written}\` the argument \`${twice.name}\` twice, by its place and by its name`,
    remedy: `pass \`${twice.name}\` once`,
  };
}

function missing(
  { positional, keywords, hasRest, hasKeywords, written }: Call,
  parameters: readonly Parameter[],
  places: readonly Parameter[],
): Mismatch | undefined {
  if (hasRest || hasKeywords) return undefined;
  const filled = new Set([...places.slice(0, positional).map(({ name }) => name), ...keywords]);
  const lacking = parameters.filter(
    ({ name, kind, isOptional }) =>
      !isOptional && kind !== 'rest' && kind !== 'keywords' && !filled.has(name),
  );
  if (lacking.length === 0) return undefined;
  const names = lacking.map(({ name }) => `\`${name}\``).join(', ');
  return {
    what: `calls \`${written}\` without ${names}, which it needs`,
    remedy: `pass ${names}, or give ${lacking.length === 1 ? 'it a default' : 'them defaults'}`,
  };
}

function count(positional: number): string {
  return positional === 1 ? '1 positional argument' : `${positional} positional arguments`;
}
