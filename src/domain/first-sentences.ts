/** The first of many sentences or names, and how many there are besides: a model may cause thousands of them. */
export function firstSentences(sentences: readonly string[], most: number): string[] {
  const more = sentences.length - most;
  return more > 0 ? [...sentences.slice(0, most), `(${more} more)`] : [...sentences];
}
