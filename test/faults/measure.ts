import type { Parser } from '../../src/analyzers/parse-file.ts';
import { assignNames } from '../../src/diagnostics/assign-names.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import { ledgerOf } from '../../src/diagnostics/ledger.ts';
import type { ParsedFile } from '../../src/diagnostics/parsed-file.ts';
import type { Problem } from '../../src/domain/finding.ts';
import { afterRound, aState, refused, written } from '../fakes/states.ts';
import type { Fault, Repository } from './corpus.ts';

/** What was reported of one planted fault. */
export interface Sighting {
  readonly fault: Fault;
  readonly problems: readonly Problem[];
  readonly isFound: boolean;
}

/** The findings after a round that wrote this repository; planned files that it lacks were refused in that round. */
export function findingsOf(parser: Parser, { tree, blueprint }: Repository): readonly Problem[] {
  const files = new Map([...tree].map(([path, text]) => [path, parsed(parser, path, text)]));
  const planned = blueprint.files.map(({ path }) => path).filter((path) => !tree.has(path));
  const { experiments } = blueprint;
  const problems = checkTree({ files, planned, experiments, ledger: ledgerOf(blueprint) });
  const results = [
    ...[...tree].map(([path, text]) => written(path, text)),
    ...planned.map((path) => refused(path)),
  ];
  const named = assignNames(problems, blueprint.files);
  return afterRound(aState(), results, { problems: named, blueprint }).findings;
}

const known = new Map<string, ParsedFile>();

/** Most faults change one file of many. */
function parsed(parser: Parser, path: string, text: string): ParsedFile {
  const key = `${path}\0${text}`;
  const file = known.get(key) ?? parser.parse(path, text);
  known.set(key, file);
  return file;
}

function sight(parser: Parser, fault: Fault): Sighting {
  const problems = findingsOf(parser, fault);
  return { fault, problems, isFound: problems.some((problem) => tells(problem, fault)) };
}

/** Diagnoses one repository after the other. */
export function sightAll(parser: Parser, faults: readonly Fault[]): Sighting[] {
  return faults.map((fault) => sight(parser, fault));
}

function tells(problem: Problem, { kinds, paths, word }: Fault): boolean {
  const said = `${problem.path} ${problem.symbol} ${problem.message}`;
  return (
    kinds.includes(problem.kind) &&
    (paths.includes('*') || paths.includes(problem.path)) &&
    said.includes(word)
  );
}

/** A Markdown table: of each kind, how many faults by hand and by mutation were found of how many. */
export function tableByKind(sightings: readonly Sighting[]): string {
  const kinds = [...new Set(sightings.map(({ fault }) => fault.kinds[0] ?? ''))].sort();
  const rows = [...kinds, 'all'].map((kind) => {
    const these = sightings.filter(({ fault }) => kind === 'all' || fault.kinds[0] === kind);
    const byHand = these.filter(({ fault }) => fault.source === 'hand');
    const mutants = these.filter(({ fault }) => fault.source !== 'hand');
    return `| ${kind} | ${share(byHand)} | ${share(mutants)} |`;
  });
  return ['| kind | by hand | mutants |', '| --- | --- | --- |', ...rows].join('\n');
}

function share(sightings: readonly Sighting[]): string {
  if (sightings.length === 0) return '';
  return `${sightings.filter(({ isFound }) => isFound).length} / ${sightings.length}`;
}
