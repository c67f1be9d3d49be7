import type { Parser } from '../../src/analyzers/parse-file.ts';
import { assignNames } from '../../src/diagnostics/assign-names.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Problem } from '../../src/domain/finding.ts';
import type { Fault, Repository } from './corpus.ts';

/** What was reported of one planted fault. */
export interface Sighting {
  readonly fault: Fault;
  readonly problems: readonly Problem[];
  readonly isFound: boolean;
}

/** What the diagnosis says of a repository whose plan has no file left to write. */
export async function problemsOf(
  parser: Parser,
  { tree, blueprint }: Repository,
): Promise<Problem[]> {
  const files = new Map([...tree].map(([path, text]) => [path, parser.parse(path, text)]));
  const python = [...tree].filter(([path]) => path.endsWith('.py'));
  const marks = python.map(async ([path, text]) => [path, await parser.lint?.(text) ?? []] as const);
  const { experiments } = blueprint;
  const problems = checkTree({
    files,
    planned: [],
    experiments,
    commands: experiments.map(({ id, command }) => ({ experiment: id, command })),
    lint: new Map(await Promise.all(marks)),
  });
  return assignNames(problems, blueprint.files);
}

/** Diagnoses the repository of a fault, and looks for the fault in what is said. */
export async function sight(parser: Parser, fault: Fault): Promise<Sighting> {
  const problems = await problemsOf(parser, fault);
  return { fault, problems, isFound: problems.some((problem) => tells(problem, fault)) };
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
