import { z } from 'zod';

/** An analyst's reading of the paper: Markdown that quotes part ids. Prose, because it carries formulas. */
const Evidence = z.strictObject({ schemaVersion: z.literal(1), markdown: z.string() });

/** Z_fig: what each figure shows, and what it implies for the experiment matrix. `seen` is false when only captions were read. */
export const FigureEvidence = Evidence.extend({ seen: z.boolean() });
export type FigureEvidence = Readonly<z.infer<typeof FigureEvidence>>;

/** Z_con: problem, method, data, metrics, results, experiment by experiment. */
export const ConceptAnalysis = Evidence;
export type ConceptAnalysis = Readonly<z.infer<typeof ConceptAnalysis>>;

/** Z_alg: algorithms, equations, losses, hyper-parameters. */
export const AlgorithmAnalysis = Evidence;
export type AlgorithmAnalysis = Readonly<z.infer<typeof AlgorithmAnalysis>>;
