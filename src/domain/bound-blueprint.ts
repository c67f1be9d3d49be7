import type { Blueprint } from './blueprint.ts';
import type { Experiment } from './experiment.ts';

/** Says one sentence on what was corrected. */
export type Note = (sentence: string) => void;

/** Far above what any paper needs. What is planned stands in the prompts of many files, and each reader walks it. */
const MOST = {
  requirements: 2_000,
  experiments: 100,
  'axes of an experiment': 12,
  'values of an axis': 300,
  'measures of an experiment': 100,
  'configuration values': 500,
  'method cards': 100,
  packages: 200,
} as const;

/** A plan without its excess: beyond these bounds it is an accident, and the first of each kind stay. */
export function boundBlueprint(draft: Blueprint, note: Note): Blueprint {
  const { environment } = draft;
  const few = <Item>(items: readonly Item[], what: keyof typeof MOST): Item[] =>
    firstFew(items, { most: MOST[what], what, note });
  const bounded = ({ axes, measures, ...experiment }: Experiment): Experiment => ({
    ...experiment,
    axes: few(axes, 'axes of an experiment').map(({ name, values }) => ({
      name,
      values: few(values, 'values of an axis'),
    })),
    measures: few(measures, 'measures of an experiment'),
  });
  return {
    ...draft,
    requirements: few(draft.requirements, 'requirements'),
    experiments: few(draft.experiments, 'experiments').map(bounded),
    configuration: few(draft.configuration, 'configuration values'),
    methodCards: few(draft.methodCards, 'method cards'),
    environment: { ...environment, packages: few(environment.packages, 'packages') },
  };
}

/** The first so many, with a note where others are dropped. */
export function firstFew<Item>(
  items: readonly Item[],
  { most, what, note }: { readonly most: number; readonly what: string; readonly note: Note },
): Item[] {
  if (items.length > most)
    note(`The plan names ${items.length} ${what}; the first ${most} stay, the rest were dropped.`);
  return items.slice(0, most);
}
