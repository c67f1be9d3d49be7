import type { Blueprint } from '../domain/blueprint.ts';
import type { FileContext } from '../domain/file-context.ts';
import { renderEnvironment, renderExperiment } from './blueprint-text.ts';

/** All that one more file adds to every executor's prompt: its line here, its end included. */
const LINE_CHARACTERS = 150;
/** An experiment matrix up to this is shown to all files. */
const MATRIX_CHARACTERS = 6_000;
/** Paths longer than this show their end: the name says more than the folders. */
const PATH_CHARACTERS = 110;

/**
 * The plan as every executor sees it: what is reproduced, data flow, environment, one numbered line a file.
 * The same for all files of a run until the plan is amended, so that a provider's cache keeps it.
 */
export function outlineMessage({ blueprint, environment }: FileContext): string {
  const { title, summary, dataFlow, files } = blueprint;
  const lines = files.map(({ path, purpose }, index) => outlineLine(index + 1, path, purpose));
  return [
    `# The plan: ${title}\n${summary}`,
    `## Data flow\n${dataFlow}`,
    `## Environment\n${renderEnvironment(environment)}`,
    `## Files\n${lines.join('\n')}`,
    ...keysText(blueprint),
    ...(isMatrixInOutline(blueprint)
      ? [`## Experiments\n${blueprint.experiments.map(renderExperiment).join('\n')}`]
      : []),
  ].join('\n\n');
}

/** Every key of the settings, by group, so that no file invents one. */
function keysText({ configuration }: Pick<Blueprint, 'configuration'>): string[] {
  const groups = new Map<string, string[]>();
  for (const { key } of configuration) {
    const dot = key.lastIndexOf('.') + 1;
    const group = key.slice(0, dot);
    groups.set(group, [...(groups.get(group) ?? []), key.slice(dot)]);
  }
  const lines = [...groups].map(([group, names]) =>
    names.length > 1 && group !== ''
      ? `${group}{${names.join(', ')}}`
      : `${group}${names.join(', ')}`,
  );
  return lines.length === 0
    ? []
    : [`## Keys of the settings; there are no others\n${lines.join('\n')}`];
}

/** Whether all experiments stand in the outline, where a provider's cache keeps them; else each file sees its own. */
export function isMatrixInOutline({ experiments }: Pick<Blueprint, 'experiments'>): boolean {
  const all = experiments.map(renderExperiment).join('\n');
  return all !== '' && all.length <= MATRIX_CHARACTERS;
}

/** `12 path: purpose`, at most 149 characters and a line end. */
function outlineLine(number: number, path: string, purpose: string): string {
  const shown = path.length > PATH_CHARACTERS ? `…${path.slice(1 - PATH_CHARACTERS)}` : path;
  const line = `${number} ${shown}: ${purpose.replace(/\s+/g, ' ').trim().slice(0, 90)}`;
  return line.length < LINE_CHARACTERS ? line : `${line.slice(0, LINE_CHARACTERS - 2)}…`;
}

/** Where each file stands, as ranges of the outline's numbers: `written 1-4, 7`. */
export function statusLines({ blueprint, statuses }: FileContext): string {
  const numbersOf = (status: string): number[] =>
    blueprint.files.flatMap(({ path }, index) =>
      (statuses.get(path) ?? 'planned') === status ? [index + 1] : [],
    );
  return ['written', 'being written', 'planned', 'broken', 'retired']
    .map((status) => ({ status, numbers: numbersOf(status) }))
    .filter(({ numbers }) => numbers.length > 0)
    .map(({ status, numbers }) => `${status} ${ranges(numbers).join(', ')}`)
    .join('; ');
}

function ranges(numbers: readonly number[]): string[] {
  const found: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const open = found.at(-1);
    if (open?.last === number - 1) open.last = number;
    else found.push({ first: number, last: number });
  }
  return found.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}
