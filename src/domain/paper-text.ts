import type { NormalisedText, PaperDocument, PaperPart } from './paper.ts';

/** A part and the text that it is a place of. */
export type PlacedPart = Readonly<{ source: NormalisedText; part: PaperPart }>;

/** One passage that a search found. */
export type PaperHit = Readonly<{ id: string; excerpt: string }>;

/** English prose has about 4.2 characters a token, LaTeX about 3.7, so this is too high for papers in Latin script. */
const CHARACTERS_PER_TOKEN = 3.6;
const EXCERPT_CHARACTERS = 400;
/** How far before the first word found an excerpt starts. */
const EXCERPT_LEAD_CHARACTERS = 80;

const REFERENCES =
  /^(?:(?:\d+|[A-Z]|[IVX]+)[.．)]?\s+)?(?:references(?: and notes)?|bibliography|literature cited|works cited|参考文献)[.:]?$/i;

/** Whether a heading is that of a list of references. */
export function isReferenceList(title: string): boolean {
  return REFERENCES.test(title);
}

/** Every part of the paper and its supplements by id. */
export function partsById(document: PaperDocument): ReadonlyMap<string, PlacedPart> {
  const entries = textsOf(document).flatMap((source) =>
    source.parts.map((part): [string, PlacedPart] => [part.id, { source, part }]),
  );
  return new Map(entries);
}

/** The Markdown of one part, with its heading or caption; undefined when no part has this id. */
export function textOfPart(document: PaperDocument, id: string): string | undefined {
  for (const source of textsOf(document)) {
    const part = source.parts.find((candidate) => candidate.id === id);
    if (part !== undefined) return source.markdown.slice(part.start, part.end).trimEnd();
  }
  return undefined;
}

/** The Markdown without its list of references; appendices behind it stay. Offsets of parts do not hold in it. */
export function withoutReferences(text: NormalisedText): string {
  const sections = text.parts.filter((part) => part.kind === 'section');
  let kept = '';
  let from = 0;
  for (const [index, section] of sections.entries()) {
    if (!REFERENCES.test(section.title)) continue;
    // Whatever has a heading below the references is an appendix, also where its level says otherwise.
    const end = Math.min(section.end, sections[index + 1]?.start ?? section.end);
    kept += text.markdown.slice(from, section.start);
    from = end;
  }
  return kept + text.markdown.slice(from);
}

/** The captions of all figures, in order. */
export function figureCaptions(document: PaperDocument): { id: string; caption: string }[] {
  return textsOf(document)
    .flatMap((source) => source.parts)
    .filter((part) => part.kind === 'figure')
    .map((part) => ({ id: part.id, caption: part.title }));
}

/**
 * Sections in which words of the query occur, best first: those with more different words, then supplements, then
 * those with more occurrences. A section stands for its own text, not for that of its subsections.
 */
export function searchPaper(document: PaperDocument, query: string, limit: number): PaperHit[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  if (words.length === 0) return [];
  return [...document.supplements, document.paper]
    .flatMap((source) => ownTexts(source))
    .map((section) => ({ ...section, ...scoreOf(section.text.toLowerCase(), words) }))
    .filter((section) => section.distinct > 0)
    .sort((a, b) => b.distinct - a.distinct || a.order - b.order || b.occurrences - a.occurrences)
    .slice(0, Math.max(0, limit))
    .map(({ id, text, firstAt }) => ({ id, excerpt: excerptAt(text, firstAt) }));

  function ownTexts(source: NormalisedText): { id: string; text: string; order: number }[] {
    const order = source === document.paper ? 1 : 0;
    const sections = source.parts.filter((part) => part.kind === 'section');
    return sections.map((section, index) => {
      const end = Math.min(section.end, sections[index + 1]?.start ?? section.end);
      return { id: section.id, text: source.markdown.slice(section.start, end), order };
    });
  }
}

/**
 * About how many tokens a model counts for `text`: an overestimate for prose, LaTeX and code in Latin script, so that
 * what fits by it fits. Chinese or Japanese text can be more.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function textsOf(document: PaperDocument): readonly NormalisedText[] {
  return [document.paper, ...document.supplements];
}

function scoreOf(
  text: string,
  words: readonly string[],
): { distinct: number; occurrences: number; firstAt: number } {
  let distinct = 0;
  let occurrences = 0;
  let firstAt = text.length;
  for (const word of words) {
    let at = text.indexOf(word);
    if (at < 0) continue;
    distinct += 1;
    firstAt = Math.min(firstAt, at);
    for (; at >= 0; at = text.indexOf(word, at + word.length)) occurrences += 1;
  }
  return { distinct, occurrences, firstAt };
}

function excerptAt(text: string, firstAt: number): string {
  const start = Math.max(0, firstAt - EXCERPT_LEAD_CHARACTERS);
  const end = start + EXCERPT_CHARACTERS;
  const middle = text.slice(start, end).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}
