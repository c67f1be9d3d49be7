import { z } from 'zod';

/** What is measured in an experiment: by name, when, in what unit, and the file it is written to when the experiment runs. */
export const Measure = z.strictObject({
  name: z.string().min(1),
  when: z.string(),
  unit: z.string(),
  file: z.string(),
});
export type Measure = Readonly<z.infer<typeof Measure>>;

/** One experiment of the paper: a row of the experiment matrix. Its cells are the product of its axes. */
export const Experiment = z.strictObject({
  /** `E1`, `E2`, … */
  id: z.string().regex(/^E\d+$/),
  title: z.string().min(1),
  /** What it asks, and the claimed answer with its direction. */
  question: z.string(),
  /** Environment or dataset, method, ablation value: `{name: 'method', values: ['ours', 'baseline']}`. */
  axes: z.array(z.strictObject({ name: z.string().min(1), values: z.array(z.string()).min(1) })),
  measures: z.array(Measure),
  /** The command that runs one cell, its axes as placeholders: `python run_toy.py --dataset {dataset}`. */
  command: z.string(),
});
export type Experiment = Readonly<z.infer<typeof Experiment>>;

/** How many cells an experiment has: combinations of its axes' values. A plan may name more than could be listed. */
export function cellCount({ axes }: Experiment): number {
  const count = axes.reduce((cells, { values }) => cells * values.length, 1);
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
