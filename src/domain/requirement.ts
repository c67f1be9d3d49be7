import { z } from 'zod';

export const RequirementKind = z.enum([
  'equation',
  'architecture',
  'loss',
  'hyper-parameter',
  'dataset',
  'baseline',
  'metric',
  'measurement',
  'setting',
  'result',
]);
export type RequirementKind = z.infer<typeof RequirementKind>;

/** A row of the ledger that said what another one says, as it was before it went. */
export const Restatement = z.strictObject({ id: z.string().regex(/^R\d+$/), demand: z.string() });
export type Restatement = Readonly<z.infer<typeof Restatement>>;

/** One atomic demand of the paper, decidable by reading code, with its place and words in the paper. */
export const Requirement = z.strictObject({
  /** `R1`, `R2`, …, given by code when the lenses are united. */
  id: z.string().regex(/^R\d+$/),
  kind: RequirementKind,
  /** The demand, in one sentence that code can satisfy or not. */
  demand: z.string().min(1),
  /** The paper's own words or formula, verbatim; empty when it is inferred. */
  quote: z.string(),
  /** True where a quote was given that is not in the paper; then it is empty here. */
  misquoted: z.boolean().exactOptional(),
  /** A part's id (`sec-3-1`, `eq-4`, `sup-1/sec-2`), or empty. */
  place: z.string(),
  /** Further parts that state the same, in the paper's order. */
  otherPlaces: z.array(z.string()).default([]),
  /** Exact values it fixes, such as `lr=3e-4`; may be empty. */
  values: z.array(z.string()),
  scope: z.enum(['main', 'appendix', 'excluded']),
  /** Rows that were found to say the same; whoever names one of them means this one. */
  restates: z.array(Restatement).exactOptional(),
});
export type Requirement = Readonly<z.infer<typeof Requirement>>;

/** A requirement as one lens found it: without an id. */
export const FoundRequirement = Requirement.omit({ id: true, misquoted: true, restates: true });
export type FoundRequirement = Readonly<z.infer<typeof FoundRequirement>>;
