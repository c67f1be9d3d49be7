import type { Problem } from '../domain/finding.ts';

/** A planned file as far as it says who is right. */
export interface PlannedOffer {
  readonly path: string;
  readonly signatures: string;
}

/**
 * Where one file takes a name that another does not define, the caller is at fault, unless the plan says that the other
 * file offers that name: then it is the one to be changed. Other problems stay where they were found.
 */
export function assignNames(
  problems: readonly Problem[],
  planned: readonly PlannedOffer[],
): Problem[] {
  const byModule = new Map(
    planned.flatMap((file) => modulesOf(file.path).map((module) => [module, file] as const)),
  );
  const assigned = new Map<string, Problem>();
  for (const problem of problems.map((each) => assign(each, byModule))) {
    // Several callers may miss the same name: one finding is enough to have it added.
    const key = JSON.stringify([problem.kind, problem.path, problem.symbol]);
    if (!assigned.has(key)) assigned.set(key, problem);
  }
  return [...assigned.values()];
}

function assign(problem: Problem, byModule: ReadonlyMap<string, PlannedOffer>): Problem {
  const [, name, module] = /^(\w+) from ([\w.]+)$/.exec(problem.symbol) ?? [];
  if (problem.kind !== 'unresolved-name' || name === undefined || module === undefined)
    return problem;
  const offer = byModule.get(module);
  const isPromised =
    offer !== undefined &&
    new RegExp(`(?<![\\w.])${name}(?!\\w)`).test(offer.signatures) &&
    offer.path !== problem.path;
  if (!isPromised) return problem;
  return {
    ...problem,
    path: offer.path,
    symbol: name,
    message: `${offer.path} does not define \`${name}\`, which its planned signatures name and ${problem.path} takes from it, so ${problem.path} fails when it runs.`,
    remedy: `Define \`${name}\` in ${offer.path} as planned.`,
  };
}

/** The dotted names under which a file can be imported. */
function modulesOf(path: string): string[] {
  if (!path.endsWith('.py')) return [];
  const dotted = path.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.');
  return dotted.startsWith('src.') ? [dotted, dotted.slice('src.'.length)] : [dotted];
}
