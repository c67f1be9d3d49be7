import type { Requirement } from './requirement.ts';

/**
 * Whether a method card concerns a file: its entry names the card, or a requirement that it owns does. A name that
 * could be a common word, such as `baseline`, must be written as a name: quoted, or in a requirement on methods.
 */
export function isCardNamed(
  card: string,
  entry: string,
  owned: readonly Pick<Requirement, 'kind' | 'demand' | 'quote' | 'values'>[],
): boolean {
  const onMethods = owned
    .filter(({ kind }) => ON_METHODS.includes(kind))
    .flatMap(({ demand, quote, values }) => [demand, quote, ...values])
    .join('\n');
  const demanded = owned.map(({ demand, quote }) => `${demand}\n${quote}`).join('\n');
  return namesOf(card).some((name) =>
    isCommonWord(name)
      ? isWordIn(name, onMethods) || isQuotedIn(name, entry)
      : isWordIn(name, `${entry}\n${demanded}`),
  );
}

const ON_METHODS: readonly string[] = ['baseline', 'architecture', 'loss', 'equation'];

/** Shorter names count only as whole words; longer ones also with an ending, as in "plain sums". */
const WHOLE_WORD = 6;

/** A card `Proximal Policy Optimisation (PPO)` is named by its whole name, by what stands in brackets, and without it. */
function namesOf(card: string): string[] {
  const short = /\(([^()]{1,80})\)/.exec(card)?.[1] ?? '';
  const long = card.split('(')[0] ?? '';
  return [...new Set([card, short, long].map((name) => name.trim()))].filter(
    ({ length }) => length > 1,
  );
}

/** One word in small letters, or with a capital only where a sentence would have one. */
function isCommonWord(name: string): boolean {
  return /^\p{L}\p{Ll}*$/u.test(name);
}

/** A name of one word, such as EMA, is meant only where it is written so; `weight_net` and `Weight net` are one name. */
function isWordIn(name: string, text: string): boolean {
  const isOneWord = /^[\p{L}\p{N}]+$/u.test(name) && !isCommonWord(name);
  const spaced = (words: string): string =>
    ` ${(isOneWord ? words : words.toLowerCase()).replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const wanted = spaced(name).trim();
  return spaced(text).includes(` ${wanted}${wanted.length < WHOLE_WORD ? ' ' : ''}`);
}

function isQuotedIn(name: string, text: string): boolean {
  return ['"', "'", '`'].some((mark) => text.includes(`${mark}${name}${mark}`));
}
