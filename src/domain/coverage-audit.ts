import type { Blueprint } from './blueprint.ts';
import type { PaperNames } from './paper-names.ts';
import type { PaperDocument, PaperPart } from './paper.ts';
import { isReferenceList } from './paper-text.ts';
import { entryWords, plainName } from './plan-words.ts';
import type { Requirement } from './requirement.ts';

const MOST_PASSED_OVER = 40;
const MOST_TITLE = 80;

/**
 * What of the paper the plan forgets, one sentence each: methods and baselines on no axis or without code, datasets
 * without a loader, measures that nobody takes, figures and tables without an experiment. Names are compared by their
 * letters and digits, so a line may be wrong where the plan uses other words.
 */
export function auditCoverage(
  blueprint: Blueprint,
  paper: PaperDocument,
  names: PaperNames,
): string[] {
  const entries = entryWords(blueprint);
  return [
    ...methodsLeftOut(blueprint, names.methods, entries),
    ...baselinesOffAxis(blueprint),
    ...names.datasets
      .filter((name) => !entries.includes(plainName(name)))
      .map(
        (name) => `Dataset "${name}" of the paper: no file's entry names it, so nothing loads it.`,
      ),
    ...measuresLeftOut(blueprint, names.measures),
    ...unloggedMeasures(blueprint, entries),
    ...displaysLeftOut(blueprint, paper),
  ];
}

/**
 * The parts of the paper that no requirement's place names, as `id title`: figures, tables, equations and algorithms,
 * and sections in which no place lies. What lies in a section that is listed is not listed again; at most 40 lines.
 */
export function passedOver(paper: PaperDocument, requirements: readonly Requirement[]): string[] {
  const named = new Set(requirements.flatMap(({ place, otherPlaces }) => [place, ...otherPlaces]));
  const found = [paper.paper, ...paper.supplements].flatMap(({ parts }) => {
    const listed: PaperPart[] = [];
    for (const part of parts) {
      const isInside = (outer: PaperPart): boolean =>
        outer !== part && outer.start <= part.start && part.end <= outer.end;
      if (named.has(part.id) || listed.some(isInside) || isReferenceList(part.title)) continue;
      const holdsPlace = parts.some(
        (inner) => named.has(inner.id) && part.start <= inner.start && inner.end <= part.end,
      );
      const isTitle = part.kind === 'section' && part.level === 1 && part === parts[0];
      if (!isTitle && !(part.kind === 'section' && holdsPlace)) listed.push(part);
    }
    return listed;
  });
  const lines = found.map(({ id, title }) => `${id} ${title.slice(0, MOST_TITLE)}`.trim());
  if (lines.length <= MOST_PASSED_OVER) return lines;
  const rest = lines.length - MOST_PASSED_OVER;
  return [...lines.slice(0, MOST_PASSED_OVER), `and ${rest} more`];
}

function methodsLeftOut(
  { experiments, methodCards }: Blueprint,
  methods: readonly string[],
  entries: string,
): string[] {
  const axes = experiments.flatMap((each) =>
    each.axes.flatMap(({ values }) => values.map(plainName)),
  );
  const cards = methodCards.map(({ name }) => plainName(name));
  return methods.flatMap((method) => {
    const name = plainName(method);
    const isOnAxis = axes.some((value) => isSameName(value, name));
    const hasCode = entries.includes(name) || cards.some((card) => isSameName(card, name));
    const lacks = [!isOnAxis && 'is on no axis', !hasCode && 'has neither card nor file'];
    const told = lacks.filter((each) => each !== false).join(' and ');
    return told === '' ? [] : [`Method "${method}" of the paper ${told}.`];
  });
}

/** One name may say more than the other: `fixed` and `Fixed Weighting`. */
function isSameName(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.length > 1 && long.includes(short);
}

function baselinesOffAxis({ requirements, experiments }: Blueprint): string[] {
  const values = experiments.flatMap((each) =>
    each.axes.flatMap((axis) => axis.values.map(plainName)).filter((value) => value.length > 1),
  );
  return requirements
    .filter(({ kind, scope }) => kind === 'baseline' && scope !== 'excluded')
    .filter(({ demand, quote }) => {
      const text = plainName(`${demand} ${quote}`);
      return !values.some((value) => text.includes(value));
    })
    .map(({ id, demand }) => `Baseline ${id} is on no axis of an experiment: ${demand}`);
}

function measuresLeftOut({ experiments }: Blueprint, measures: readonly string[]): string[] {
  const taken = experiments.flatMap((each) =>
    each.measures.map(({ name, unit }) => wordsOf(`${name} ${unit}`)),
  );
  return measures
    .filter((measure) => {
      const words = [...wordsOf(measure)];
      return !taken.some((known) => words.some((word) => known.has(word)));
    })
    .map((measure) => `Measure "${measure}" of the paper is taken in no experiment.`);
}

/** Measures whose name and results file no file's entry has. */
function unloggedMeasures({ experiments }: Blueprint, entries: string): string[] {
  return experiments.flatMap(({ id, measures }) =>
    measures
      .filter(({ name, file }) => {
        const base = plainName(file.split('/').at(-1) ?? '');
        return !entries.includes(plainName(name)) && (base === '' || !entries.includes(base));
      })
      .map(({ name }) => `${id}: no file's entry logs "${name}".`),
  );
}

function displaysLeftOut({ experiments, files }: Blueprint, paper: PaperDocument): string[] {
  const text = [
    ...experiments.map(({ title, question, measures, command }) =>
      [title, question, command, ...measures.map(({ name }) => name)].join(' '),
    ),
    ...files.map(({ purpose, instructions }) => `${purpose} ${instructions}`),
  ].join('\n');
  return [paper.paper, ...paper.supplements]
    .flatMap(({ parts }) => parts)
    .filter(({ kind }) => kind === 'figure' || kind === 'table')
    .filter(({ id, kind }) => {
      const number = /\d+$/.exec(id)?.[0] ?? '';
      const spoken = kind === 'figure' ? `fig(?:ure|\\.)?` : `tab(?:le|\\.)?`;
      return !new RegExp(`\\b${spoken}[\\s_-]{0,2}${number}(?!\\d)`, 'i').test(text);
    })
    .map(({ id, title }) => `${id} has no experiment or file: ${title.slice(0, MOST_TITLE)}`);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []);
}
