import { z } from 'zod';

const Position = z.looseObject({ line: z.int().min(0), character: z.int().min(0) });

const Item = z.looseObject({
  range: z.looseObject({ start: Position, end: Position }),
  message: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
});

/** What the server says of one file: all anew, or that nothing changed since the answer of that id. */
export const DiagnosticReport = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('full'), resultId: z.string().optional(), items: z.array(Item) }),
  z.looseObject({ kind: z.literal('unchanged'), resultId: z.string() }),
]);
export type DiagnosticReport = z.infer<typeof DiagnosticReport>;

/** What the server says of a name: `(variable) s: Settings`; null where it knows nothing. */
export const Hover = z.looseObject({ contents: z.looseObject({ value: z.string() }) }).nullable();

/** What the server asks about its settings: one answer for each item. */
export const ConfigurationParams = z.looseObject({
  items: z.array(z.looseObject({ section: z.string().optional() })),
});
