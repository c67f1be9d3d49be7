import type {
  Blueprint,
  BlueprintFile,
  ConfigurationValue,
  Environment,
  MethodCard,
} from '../domain/blueprint.ts';
import type { SetupDraft } from '../domain/blueprint-draft.ts';
import type { Experiment } from '../domain/experiment.ts';
import type { Requirement } from '../domain/requirement.ts';

/** A whole blueprint but its requirements, in the records that its planner writes. */
export function renderBlueprint(blueprint: Blueprint): string {
  const { title, summary, dataFlow, validation } = blueprint;
  const plan = [
    '@plan',
    renderField('title', title),
    renderField('summary', summary),
    renderField('dataflow', dataFlow),
    renderField('validation', validation),
  ].join('\n');
  return [
    plan,
    ...blueprint.experiments.map(renderExperiment),
    ...blueprint.files.map(renderFile),
    ...blueprint.configuration.map(renderValue),
    ...blueprint.methodCards.map(renderMethod),
    renderEnvironment(blueprint.environment),
  ].join('\n');
}

/** The half of a draft that was asked for first, in the records that its planner writes. */
export function renderSetup(setup: SetupDraft): string {
  return [
    '# Values, demands said twice, method cards and environment',
    ...setup.configuration.map(renderValue),
    ...setup.same.map(({ stays, goes }) => `@same ${stays}\nwith: ${goes.join(', ')}`),
    ...setup.methodCards.map(renderMethod),
    renderEnvironment(setup.environment),
  ].join('\n');
}

/** `@experiment`, as `experimentOf` reads it. */
export function renderExperiment({
  id,
  title,
  question,
  axes,
  measures,
  command,
}: Experiment): string {
  return [
    `@experiment ${id}`,
    renderField('title', title),
    renderField('question', question),
    ...axes.map(({ name, values }) => `axis: ${[name, ...values].join(' | ')}`),
    ...measures.map(
      ({ name, when, unit, file }) => `measure: ${name} | ${when} | ${unit} | ${file}`,
    ),
    renderField('command', command),
  ].join('\n');
}

/** `@file`, as `fileOf` reads it. */
export function renderFile(file: BlueprintFile): string {
  return [
    `@file ${file.path}`,
    renderField('purpose', file.purpose),
    `needs: ${file.needs.join(', ')}`,
    `owns: ${file.owns.join(', ')}`,
    `lines: ${file.expectedLines}`,
    renderField('signatures', file.signatures),
    renderField('instructions', file.instructions),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** `@value`, as `valueOf` reads it. */
export function renderValue({
  key,
  value,
  legal = [],
  requirements,
  reason,
  deviates,
}: ConfigurationValue): string {
  return [
    `@value ${key}`,
    renderField('value', value),
    ...(legal.length === 0 ? [] : [`legal: ${legal.join(', ')}`]),
    ...(requirements.length === 0 ? [] : [`requirement: ${requirements.join(', ')}`]),
    ...(reason === '' ? [] : [renderField('reason', reason)]),
    ...(deviates ? ['deviates: yes'] : []),
  ].join('\n');
}

/** `@method`, as `methodOf` reads it. */
export function renderMethod({ name, source, text }: MethodCard): string {
  return [`@method ${name}`, `source: ${source}`, renderField('text', text)].join('\n');
}

/** `@environment`, as `environmentOf` reads it. */
export function renderEnvironment({ python, packages, notes }: Environment): string {
  return [
    '@environment',
    renderField('python', python),
    ...packages.map(({ name, version }) => `package: ${name} ${version}`.trimEnd()),
    renderField('notes', notes),
  ].join('\n');
}

/** A value as one line, `key = value`, with where it comes from. */
export function valueLine({
  key,
  value,
  legal = [],
  requirements,
  reason,
  deviates,
}: ConfigurationValue): string {
  const choice = legal.length === 0 ? '' : ` of ${legal.join(', ')}`;
  const ids = requirements.join(', ');
  const source = ids === '' ? 'inferred' : deviates ? `deviates from ${ids}` : ids;
  const why = reason.replace(/^inferred[:,]?\s*/i, '');
  return `${key} = ${value}${choice}  (${why === '' ? source : `${source}: ${why}`})`;
}

/**
 * A requirement as one line of the ledger, for readers who have the paper: id, kind, places, demand, and the values
 * that the demand does not say. Only what no place of the paper states is quoted.
 */
export function renderLedgerRow(requirement: Requirement): string {
  const { id, kind, demand, quote, place, otherPlaces, values, scope } = requirement;
  const said = ` ${wordsIn(demand)} `;
  const isSaid = (value: string): boolean =>
    said.includes(` ${wordsIn(value.split('=').at(-1) ?? '')} `);
  const unsaid = values.filter((value) => !isSaid(value));
  return [
    `${id} ${kind} ${[place, ...otherPlaces].join(',') || '-'}: ${demand}`,
    ...(unsaid.length > 0 ? [`[${unsaid.join('; ')}]`] : []),
    ...(scope === 'main' ? [] : [`(${scope})`]),
    ...(place === '' && quote !== '' ? [`"${oneLine(quote)}"`] : []),
  ].join(' ');
}

/** Lower case, single spaces, no marks at the ends of words. */
function wordsIn(text: string): string {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[("'$]+|[)"'$.,;:]+$/g, ''))
    .filter((word) => word !== '')
    .join(' ');
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

/** A requirement as a few lines: its demand, and the paper's own words. */
export function renderRequirement(requirement: Requirement): string {
  const { id, kind, demand, quote, place, otherPlaces, values, scope } = requirement;
  const facts = [
    kind,
    place || 'no place',
    ...otherPlaces,
    ...(scope === 'main' ? [] : [scope]),
  ].join(', ');
  return [
    `${id} (${facts}): ${demand}`,
    ...(values.length > 0 ? [`  values: ${values.join('; ')}`] : []),
    ...(quote === '' ? [] : [`  quote: ${oneLine(quote)}`]),
  ].join('\n');
}

/** One line stands behind its key; more stand below it, indented. */
function renderField(key: string, text: string): string {
  if (!text.includes('\n')) return `${key}: ${text}`.trimEnd();
  const lines = text.split('\n').map((line) => (line === '' ? '' : `  ${line}`));
  return [`${key}:`, ...lines].join('\n');
}
