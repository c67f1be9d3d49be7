import { z } from 'zod';

/**
 * A place of the paper that can be quoted by id: `sec-3-2`, `eq-5`, `tab-1`, `fig-2`, `alg-1`, and for supplements
 * `sup-1/sec-2`. `start` and `end` are offsets (UTF-16) in the Markdown of its source.
 */
export const PaperPart = z.strictObject({
  id: z.string(),
  kind: z.enum(['section', 'equation', 'table', 'figure', 'algorithm']),
  /** The heading, caption or label, in one line. */
  title: z.string(),
  /** For sections: 1 to 6; 0 for all else. */
  level: z.int().min(0).max(6),
  start: z.int().min(0),
  end: z.int().min(0),
  /** Where a figure stands in a PDF; the box, in points from the page's top left, is null when only its page is known. */
  place: z
    .strictObject({
      page: z.int().min(1),
      box: z
        .strictObject({ x0: z.number(), y0: z.number(), x1: z.number(), y1: z.number() })
        .nullable(),
    })
    .optional(),
});
export type PaperPart = Readonly<z.infer<typeof PaperPart>>;

/** Where a figure stands in a PDF. */
export type FigurePlace = NonNullable<PaperPart['place']>;

/** One normalised text: Markdown, maths kept as LaTeX, and its index in order of `start`. */
export const NormalisedText = z.strictObject({
  name: z.string(),
  form: z.enum(['markdown', 'text', 'latex', 'pdf']),
  title: z.string(),
  markdown: z.string(),
  parts: z.array(PaperPart),
});
export type NormalisedText = Readonly<z.infer<typeof NormalisedText>>;

/** D̃: the paper and its supplements, normalised. Supplements outrank the paper. */
export const PaperDocument = z.strictObject({
  schemaVersion: z.literal(1),
  paper: NormalisedText,
  supplements: z.array(NormalisedText),
  /** What was lost or guessed in reading, one sentence each, for the report. */
  notices: z.array(z.string()),
});
export type PaperDocument = Readonly<z.infer<typeof PaperDocument>>;
