import type { Blueprint } from './blueprint.ts';
import { isNamedIn } from './essential-files.ts';
import { isScript, isTest } from './known-file.ts';
import { needsOf } from './order.ts';
import { ownersOf } from './owners.ts';
import { estimateTokens } from './paper-text.ts';
import type { Requirement } from './requirement.ts';

/** Tokens, estimated, of the files that one demand is judged on; its owners and settings are among them in any case. */
const MOST_TOKENS = 24_000;
/** Commands whose way to an owner is shown: more show the same code over again. */
const MOST_ENTRIES = 2;
/** Files outside the code that hold values. */
const SETTINGS = /\.(?:ya?ml|json|toml|ini|cfg)$/i;
const NO_SETTINGS = /(?:^|\/)(?:pyproject\.toml|environment\.ya?ml|package\.json|setup\.cfg)$/i;

/** A written repository, as far as it says which files a demand is decided by. */
export interface JudgedTree {
  readonly texts: ReadonlyMap<string, string>;
  /** For each file, those of the repository that it imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** What a person can start, in the plan's order. */
  readonly entries: readonly string[];
}

/**
 * Whole files that decide whether a demand is met: its owners, the settings that hold its values, the files on the way
 * from a command to its owners, and what the owners import, as far as there is room; nothing where no owner is written.
 */
export function judgedFiles(
  { id, values }: Pick<Requirement, 'id' | 'values'>,
  { files, configuration }: Pick<Blueprint, 'files' | 'configuration'>,
  tree: JudgedTree,
): readonly string[] {
  const owners = ownersOf(id, { files }).filter((path) => tree.texts.has(path));
  if (owners.length === 0) return [];
  const keys = configuration
    .filter(({ requirements }) => requirements.includes(id))
    .map(({ key }) => key.split('.').at(-1) ?? key);
  const settings = [...tree.texts.keys()].filter(
    (path) =>
      isSettingsFile(path) && holdsAny(tree.texts.get(path) ?? '', [...keys, ...namesIn(values)]),
  );
  return withNear([...owners, ...settings], owners, tree);
}

/** The same for a check on one file: it, the way to it from a command, and what it imports. */
export function filesAround(path: string, tree: JudgedTree): readonly string[] {
  return withNear([path], [path], tree);
}

function withNear(
  needed: readonly string[],
  of: readonly string[],
  tree: JudgedTree,
): readonly string[] {
  const code = of.filter((path) => path.endsWith('.py'));
  const near = [
    ...code.flatMap((path) => waysTo(path, tree)),
    ...code.flatMap((path) => tree.imports.get(path) ?? []),
  ].filter((path) => !isTest(path));
  return withRoom(needed, near, tree.texts);
}

/**
 * Whether what starts the owners of a demand is written: before, nothing can say that it is reached. Owners that are no
 * code, or that no file imports or is planned to need, wait for nobody.
 */
export function isReachable(
  id: string,
  { files }: Pick<Blueprint, 'files'>,
  { texts, imports, entries }: JudgedTree,
): boolean {
  const owners = ownersOf(id, { files });
  if (owners.some((path) => !texts.has(path))) return false;
  const code = owners.filter((path) => path.endsWith('.py') && !isTest(path));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const toCome = files.filter(
    ({ path }) => !texts.has(path) && path.endsWith('.py') && !isTest(path),
  );
  const awaited = new Set(toCome.flatMap(({ path }) => [...needsOf(path, byPath)]));
  return code.every(
    (path) => !awaited.has(path) || entries.some((entry) => wayFrom(entry, path, imports) !== null),
  );
}

/** Settings, not what an installer reads. */
function isSettingsFile(path: string): boolean {
  return SETTINGS.test(path) && !NO_SETTINGS.test(path) && !isTest(path);
}

/** The names that values are given to: `lr` of `lr=3e-4`. */
function namesIn(values: readonly string[]): string[] {
  return values.flatMap((value) => /^([A-Za-z_][\w.]*)\s*[=:]/.exec(value.trim())?.[1] ?? []);
}

function holdsAny(text: string, names: readonly string[]): boolean {
  const words = new Set(text.match(/\w+/g));
  return names.some((name) => words.has(name));
}

/** The files on the shortest ways by imports from what starts a file, nearest first, without the file itself. */
function waysTo(path: string, { entries, imports }: JudgedTree): string[] {
  const ways = entries.flatMap((entry) => {
    const way = wayFrom(entry, path, imports);
    return way === null ? [] : [way];
  });
  const shortest = ways.sort((one, other) => one.length - other.length).slice(0, MOST_ENTRIES);
  return shortest.flatMap((way) => way.slice(0, -1).reverse());
}

/** The shortest chain of imports from one file to another, both included, or null. */
function wayFrom(
  entry: string,
  goal: string,
  imports: JudgedTree['imports'],
): readonly string[] | null {
  const cameFrom = new Map<string, string | null>([[entry, null]]);
  for (const path of cameFrom.keys()) {
    if (path === goal) return chain(path, cameFrom);
    for (const next of imports.get(path) ?? []) if (!cameFrom.has(next)) cameFrom.set(next, path);
  }
  return null;
}

function chain(goal: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const way = [goal];
  for (let at = cameFrom.get(goal); at !== null && at !== undefined; at = cameFrom.get(at))
    way.unshift(at);
  return way;
}

function withRoom(
  needed: readonly string[],
  near: readonly string[],
  texts: ReadonlyMap<string, string>,
): string[] {
  const tokensOf = (path: string): number => estimateTokens(texts.get(path) ?? '');
  const kept = new Set(needed);
  let left = MOST_TOKENS - [...kept].reduce((sum, path) => sum + tokensOf(path), 0);
  for (const path of near) {
    if (kept.has(path) || !texts.has(path) || tokensOf(path) > left) continue;
    kept.add(path);
    left -= tokensOf(path);
  }
  return [...kept];
}

/** Paths that a shell or a person can start, of what is written: in commands of the plan, scripts with a start, shell files. */
export function entriesOf(
  paths: readonly string[],
  { experiments }: Pick<Blueprint, 'experiments'>,
  starts: ReadonlySet<string>,
): string[] {
  const isNamed = (path: string): boolean =>
    experiments.some(({ command }) => isNamedIn(path, command));
  const named = paths.filter(isNamed);
  const others = paths.filter(
    (path) => !isNamed(path) && !isTest(path) && (isScript(path) || starts.has(path)),
  );
  return [...named, ...others];
}
