import { z } from 'zod';
import { PaperPart } from '../domain/paper.ts';

const Heading = z.strictObject({
  kind: z.literal('heading'),
  level: z.int().min(1),
  text: z.string(),
  front: z.boolean(),
  labels: z.array(z.string()),
});
const Text = z.strictObject({ kind: z.literal('text'), text: z.string(), indent: z.string() });
const Numbered = z.strictObject({
  kind: z.enum(['equation', 'table', 'figure', 'algorithm']),
  title: z.string(),
  body: z.string(),
  labels: z.array(z.string()),
  indent: z.string(),
  isNumbered: z.boolean().exactOptional(),
  place: PaperPart.shape.place.unwrap().exactOptional(),
});

/** What the PDF program answers: the draft of a paper, pictures of places of it, or why it can be neither. */
export const PdfReply = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('draft'),
    title: z.string(),
    blocks: z.array(z.union([Heading, Text, Numbered])),
    notices: z.array(z.string()),
  }),
  z.strictObject({
    kind: z.literal('pictures'),
    pictures: z.array(
      z.strictObject({
        /** Of the place asked for, from 0. */
        index: z.int().min(0),
        /** PNG, in base64. */
        png: z.string(),
        width: z.int().min(1),
        height: z.int().min(1),
      }),
    ),
  }),
  z.strictObject({ kind: z.literal('refusal'), problem: z.string(), remedy: z.string() }),
]);
export type PdfReply = z.infer<typeof PdfReply>;

/** What to make pictures of; none for the text instead. */
export const PdfPlaces = z.array(PaperPart.shape.place.unwrap());
