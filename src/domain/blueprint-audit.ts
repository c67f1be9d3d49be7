import type { Blueprint } from './blueprint.ts';
import { runnersOf } from './essential-files.ts';
import type { Experiment } from './experiment.ts';
import { firstNames } from './first-sentences.ts';
import { entryWords, plainName } from './plan-words.ts';
import type { Requirement } from './requirement.ts';
import { unseenFiles } from './unseen-files.ts';

const MAX_OWNED = 25;
const MAX_LINES = 450;
const MIN_LINES = 60;
const MAX_FILES = 40;

/**
 * What code can see wrong in a plan, one sentence each, for the call that attacks it and for the person who approves it:
 * requirements without an owner, cells that nothing runs, values without a key, baselines that nobody writes, files too large.
 */
export function auditBlueprint(blueprint: Blueprint): string[] {
  const planned = plannedWords(blueprint);
  return [
    ...unowned(blueprint),
    ...blueprint.experiments.flatMap((experiment) => [
      ...unrunnable(experiment, blueprint),
      ...unwrittenCells(experiment, planned),
    ]),
    ...valuesWithoutKey(blueprint),
    ...baselinesWithoutCode(blueprint),
    ...ownedByData(blueprint),
    ...oversized(blueprint),
    ...unseenFiles(blueprint),
  ];
}

/** The requirements that the paper and its supplements do not put out of scope. */
export function requirementsInScope({
  requirements,
}: Pick<Blueprint, 'requirements'>): readonly Requirement[] {
  return requirements.filter(({ scope }) => scope !== 'excluded');
}

/** Ids in scope that no file owns. */
export function unownedRequirements(
  blueprint: Pick<Blueprint, 'files' | 'requirements'>,
): string[] {
  const owned = new Set(blueprint.files.flatMap(({ owns }) => owns));
  return requirementsInScope(blueprint)
    .filter(({ id }) => !owned.has(id))
    .map(({ id }) => id);
}

function unowned(blueprint: Blueprint): string[] {
  const ids = new Set(unownedRequirements(blueprint));
  return blueprint.requirements
    .filter(({ id }) => ids.has(id))
    .map(({ id, demand }) => `${id} has no file that owns it: ${demand}`);
}

function unrunnable(experiment: Experiment, blueprint: Blueprint): string[] {
  const { id, axes, measures, command } = experiment;
  const found: string[] = [];
  if (command.trim() === '') found.push(`${id} has no command.`);
  else if (runnersOf(blueprint.files, [experiment]).length === 0)
    found.push(`${id}: its command names no planned file: ${command}`);
  if (measures.length === 0) found.push(`${id} measures nothing.`);
  for (const { name, when, file } of measures) {
    if (when === '') found.push(`${id}: it is not said when "${name}" is measured.`);
    if (file === '') found.push(`${id}: "${name}" is written to no file.`);
  }
  for (const { name, values } of axes) {
    if (command && !command.includes(`{${name}}`) && values.length > 1)
      found.push(`${id}: its command has no {${name}}, so that axis cannot be selected.`);
  }
  for (const name of unknownPlaceholders(experiment))
    found.push(`${id}: its command has {${name}}, which is not an axis.`);
  return found;
}

/** Placeholders in a command that are no axis of its experiment. */
function unknownPlaceholders({ command, axes }: Experiment): string[] {
  const names = [...command.matchAll(/\{([\w-]{1,60})\}/g)].map((match) => match[1] ?? '');
  return names.filter((each) => !axes.some(({ name }) => name === each));
}

/** A plan may name more axes and values than can be looked for one by one. */
const MOST_SOUGHT = 100;
const MOST_NAMED = 10;

/** Values of axes that no file's plan names: nobody would write them. One sentence for each axis. */
function unwrittenCells({ id, axes }: Experiment, planned: string): string[] {
  return axes.flatMap(({ name, values }) => {
    const missing = values
      .slice(0, MOST_SOUGHT)
      .filter((value) => !planned.includes(plainName(value)));
    if (missing.length === 0) return [];
    const listed = firstNames(missing, MOST_NAMED);
    return [`${id}: no file's entry names these values of ${name}: ${listed}.`];
  });
}

/** What files say they handle; values of the settings are handled by whoever reads them. */
function plannedWords(blueprint: Blueprint): string {
  const values = blueprint.configuration.map(({ value }) => plainName(value));
  return [entryWords(blueprint), ...values].join('\n');
}

function valuesWithoutKey({ requirements, configuration }: Blueprint): string[] {
  const held = new Set(configuration.flatMap(({ requirements: ids }) => ids));
  const missing = requirements
    .filter(({ id, kind, scope, values }) => {
      return (
        kind === 'hyper-parameter' && scope !== 'excluded' && values.length > 0 && !held.has(id)
      );
    })
    .map(({ id, values }) => `${id} fixes ${values.join(', ')}, which no configuration key holds.`);
  const unexplained = configuration
    .filter(({ requirements: ids, reason }) => ids.length === 0 && reason === '')
    .map(({ key }) => `${key} has neither a requirement nor a reason.`);
  return [...missing, ...unexplained];
}

function baselinesWithoutCode({ requirements, files, methodCards }: Blueprint): string[] {
  const owned = new Set(files.flatMap(({ owns }) => owns));
  const cards = methodCards.map(({ name }) => plainName(name));
  return requirements
    .filter(({ kind, scope }) => kind === 'baseline' && scope !== 'excluded')
    .flatMap(({ id, demand, quote }) => {
      const text = plainName(`${demand} ${quote}`);
      const hasCard = cards.some((name) => name !== '' && text.includes(name));
      if (hasCard && owned.has(id)) return [];
      const lacks = [!owned.has(id) && 'file', !hasCard && 'method card'].filter(Boolean);
      return [`Baseline ${id} has no ${lacks.join(' and no ')}: ${demand}`];
    });
}

/** What is to be computed or measured cannot be met by settings, documents or the paper's own numbers. */
function ownedByData({ requirements, files }: Blueprint): string[] {
  const computed = new Set(
    requirements
      .filter(({ kind, scope }) => scope !== 'excluded' && COMPUTED.includes(kind))
      .map(({ id }) => id),
  );
  return files
    .filter(({ path }) => !/\.(?:py|sh)$/.test(path))
    .flatMap(({ path, owns }) => {
      const ids = owns.filter((id) => computed.has(id) && isSoleOwner(id, files));
      return ids.length === 0
        ? []
        : [
            `${path} computes nothing, but alone owns what is measured or computed: ${ids.join(', ')}.`,
          ];
    });
}

const COMPUTED: readonly string[] = ['measurement', 'metric', 'result', 'loss', 'equation'];

function isSoleOwner(id: string, files: Blueprint['files']): boolean {
  return files.filter(({ owns }) => owns.includes(id)).length === 1;
}

function oversized({ files }: Blueprint): string[] {
  const tooMany =
    files.length > MAX_FILES
      ? [
          `The plan has ${files.length} files; merge what belongs together, to ${MAX_FILES} at most.`,
        ]
      : [];
  return [...tooMany, ...undersized(files), ...files.flatMap(oversizedFile)];
}

/** Small modules of one folder: each costs a call and its prompt. */
function undersized(files: Blueprint['files']): string[] {
  const small = files.filter(
    ({ path, expectedLines }) =>
      path.endsWith('.py') && !path.endsWith('__init__.py') && expectedLines < MIN_LINES,
  );
  return small.length < 2
    ? []
    : [
        `Expected below ${MIN_LINES} lines each, to be merged into the files that use them: ${small.map(({ path }) => path).join(', ')}.`,
      ];
}

function oversizedFile({ path, owns, expectedLines }: Blueprint['files'][number]): string[] {
  return [
    ...(owns.length > MAX_OWNED
      ? [
          `${path} owns ${owns.length} requirements; more than ${MAX_OWNED} are too many for one file.`,
        ]
      : []),
    ...(expectedLines > MAX_LINES
      ? [`${path} is expected to have ${expectedLines} lines; split it at ${MAX_LINES}.`]
      : []),
  ];
}
