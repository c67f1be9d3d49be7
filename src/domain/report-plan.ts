import type { Blueprint, ConfigurationValue } from './blueprint.ts';
import { cellCount, type Experiment } from './experiment.ts';
import { runnersOf } from './essential-files.ts';
import { code, foldedWhenLong, inline, section, table } from './markdown.ts';
import { ownersOf } from './owners.ts';
import { progressOf } from './progress.ts';
import type { RunFacts } from './run-facts.ts';
import type { RequirementVerdict } from './verification.ts';
import { standingVerdicts } from './verified.ts';

/** Values and methods for which the paper gives no word, with the reason. */
export function renderInferred({ configuration, methodCards }: Blueprint): string {
  const values = configuration
    .filter(({ requirements }) => requirements.length === 0)
    .map(valueLine);
  const contradicted = configuration
    .filter(
      ({ requirements, reason, deviates }) =>
        requirements.length > 0 && !deviates && reason.trim() !== '',
    )
    .map(valueLine);
  const cards = methodCards
    .filter(({ source }) => source !== 'paper')
    .map(
      ({ name, source }) =>
        `- ${inline(name)}: described from ${source === 'cited' ? 'the cited work as the model knows it' : 'inference'}`,
    );
  const lines = [...cards, ...contradicted, ...values];
  const text = foldedWhenLong('Choices', lines.length, lines.join('\n'));
  return section("Chosen without the paper's word", text || 'Nothing.');
}

/** A value with the requirements that state it, and why it is as it is. */
function valueLine({ key, value, requirements, reason }: ConfigurationValue): string {
  const ids = requirements.length === 0 ? '' : ` (${requirements.join(', ')})`;
  return `- ${code(key)} = ${code(value) || 'empty'}${ids}: ${inline(reason) || 'no reason given'}`;
}

/** Where a chosen value overrides what the paper states, a line a key, with the reason; empty where none does. */
export function renderDeviations({ configuration }: Blueprint): string {
  const lines = configuration.filter(({ deviates }) => deviates).map(valueLine);
  return lines.length === 0 ? '' : section('Where it deviates from the paper', lines.join('\n'));
}

/** The experiment matrix: what each row asks, its cells, what starts them and what they measure. */
export function renderExperiments(blueprint: Blueprint): string {
  const { experiments, files } = blueprint;
  const rows = experiments.map((experiment) => [
    experiment.id,
    `${inline(experiment.title)}${experiment.question === '' ? '' : `: ${inline(experiment.question)}`}`,
    cellsText(experiment),
    runnersOf(files, [experiment]).map(code).join(', ') || '**none**',
    code(experiment.command) || '**none**',
    experiment.measures.map(measureText).join('; ') || '**none**',
  ]);
  if (rows.length === 0) return '';
  const head = ['id', 'experiment', 'cells', 'runner', 'command', 'measures'];
  return section('Experiments', foldedWhenLong('Experiments', rows.length, table(head, rows)));
}

function cellsText(experiment: Experiment): string {
  const axes = experiment.axes.map(({ name, values }) => `${name}: ${values.join(', ')}`);
  return `${cellCount(experiment)}${axes.length > 0 ? ` (${inline(axes.join('; '))})` : ''}`;
}

function measureText({ name, when, unit, file }: Experiment['measures'][number]): string {
  const notes = [when, unit].filter((part) => part !== '').map(inline);
  const place = file === '' ? '' : ` → ${code(file)}`;
  return `${inline(name)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}${place}`;
}

/** The ledger: each demand of the paper, where it stands there, the files that are to meet it, and what the verifier says. */
export function renderRequirements(blueprint: Blueprint, state: RunFacts['state']): string {
  const { requirements } = blueprint;
  const isVerified = state?.requirementVerdicts !== undefined;
  const standing = standingVerdicts(state ?? { tree: {} });
  const rows = requirements.map((requirement) => {
    const { id, kind, demand, place, otherPlaces, scope, values, restates = [] } = requirement;
    return [
      [id, ...restates.map((one) => one.id)].join(', '),
      kind,
      `${inline(demand)}${values.length > 0 ? ` (${inline(values.join(', '))})` : ''}`,
      [place, ...otherPlaces].join(', '),
      scope,
      ownersOf(id, blueprint).map(code).join(', ') ||
        (scope === 'excluded' ? 'out of scope' : '**none**'),
      ...(isVerified ? [verdictText(standing.get(id))] : []),
    ];
  });
  if (rows.length === 0) return '';
  const head = ['id', 'kind', 'demand', 'place', 'scope', 'owner'];
  const text = table(isVerified ? [...head, 'verdict'] : head, rows);
  const note = isVerified
    ? '"Verdict" is what a model found that read the code, as it stands, beside the paper.'
    : '"Owner" says which file is to meet a requirement; whether it does has not been verified.';
  return section('Requirements', `${note}\n\n${foldedWhenLong('Requirements', rows.length, text)}`);
}

function verdictText(verdict: RequirementVerdict | undefined): string {
  if (!verdict) return 'not decided';
  const places = verdict.where.map(({ path, line }) => code(`${path}:${line}`)).join(', ');
  return `${verdict.verdict}${places === '' ? '' : `: ${places}`}`;
}

/** Every planned file: where it stands, and how often it was written. */
export function renderFiles({ statuses, state }: RunFacts, { files }: Blueprint): string {
  const rows = files.map(({ path, purpose, owns }) => {
    const { revision, repairs } = progressOf(state ?? { progress: {} }, path);
    return [
      code(path),
      statuses.get(path) ?? 'planned',
      `${revision}`,
      `${repairs}`,
      inline(purpose),
      owns.join(', '),
    ];
  });
  const head = ['file', 'status', 'contents accepted', 'repairs', 'purpose', 'requirements'];
  return section('Files', foldedWhenLong('Files', rows.length, table(head, rows)));
}
