/** The first of many sentences, and how many there are besides: a model may cause thousands of them. */
export function firstSentences(sentences: readonly string[], most: number): string[] {
  const more = sentences.length - most;
  return more > 0 ? [...sentences.slice(0, most), `And ${more} more.`] : [...sentences];
}

/** The first of many names, for a sentence: `a, b and 7 more`. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length - most;
  const listed = names.slice(0, most).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}
