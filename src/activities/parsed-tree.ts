import type { LintMark } from '../diagnostics/check-lint.ts';
import type { ParsedFile } from '../diagnostics/parsed-file.ts';
import type { Ref } from '../domain/ref.ts';
import type { Tree } from '../domain/tree.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

/** Parsed files kept in a process; a tree of a few hundred files and its revisions fit. */
const MOST_KEPT = 2_000;

/** By path and content: the same bytes under another name may be read as another language. */
const parsed = new Map<string, ParsedFile>();
/** By content. */
const linted = new Map<string, readonly LintMark[]>();

/** Every file of a tree, parsed; what this process has parsed before is not parsed again. */
export async function parseTree(deps: Deps, tree: Tree): Promise<Map<string, ParsedFile>> {
  const files = Object.entries(tree).map(async ([path, ref]): Promise<[string, ParsedFile]> => [
    path,
    await parseStoredFile(deps, path, ref),
  ]);
  return new Map(await Promise.all(files));
}

async function parseStoredFile(
  { store, parser }: Deps,
  path: string,
  ref: Ref,
): Promise<ParsedFile> {
  return (
    parsed.get(keyOf(path, ref)) ?? parseText({ parser }, path, await getText(store, ref), ref)
  );
}

/** A file whose text is at hand, parsed once for all who look at it in this process. */
export function parseText(
  { parser }: Pick<Deps, 'parser'>,
  path: string,
  text: string,
  ref: Ref,
): ParsedFile {
  const key = keyOf(path, ref);
  const known = parsed.get(key);
  if (known) return known;
  const file = parser.parse(path, text);
  remember(parsed, key, file);
  return file;
}

/** What a linter says of the Python files of a tree; files that this process has looked at before are not looked at again. */
export async function lintTree(
  { store, parser }: Deps,
  tree: Tree,
): Promise<Map<string, readonly LintMark[]>> {
  const python = Object.entries(tree).filter(([path]) => path.endsWith('.py'));
  const marks = python.map(async ([path, ref]): Promise<[string, readonly LintMark[]]> => {
    const known = linted.get(ref.sha256);
    if (known !== undefined) return [path, known];
    const found = await parser.lint(await getText(store, ref));
    remember(linted, ref.sha256, found);
    return [path, found];
  });
  return new Map(await Promise.all(marks));
}

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  if (kept.size >= MOST_KEPT) kept.delete([...kept.keys()][0] ?? '');
  kept.set(key, value);
}

function keyOf(path: string, { sha256 }: Ref): string {
  return `${sha256} ${path}`;
}

/** Written files that import the file at `path`, by their real imports. */
export async function importersOf(deps: Deps, tree: Tree, path: string): Promise<string[]> {
  const files = await parseTree(deps, tree);
  return [...files.values()]
    .filter((file) => file.path !== path && file.imports.some((use) => names(use, file.path, path)))
    .map((file) => file.path);
}

/** Whether an import can mean the module at `path`, told by its dotted name; good enough to choose what to show. */
function names(use: ParsedFile['imports'][number], from: string, path: string): boolean {
  const target = moduleOf(path);
  if (target === undefined) return false;
  const folder = from.split('/').slice(0, -use.level);
  const base = use.level > 0 ? [...folder, ...parts(use.module)] : parts(use.module);
  const candidates = [base, ...(use.names ?? []).map(({ name }) => [...base, name])];
  return candidates.some((candidate) => {
    const dotted = candidate.join('.');
    return dotted !== '' && (dotted === target || target.endsWith(`src.${dotted}`));
  });
}

function parts(module: string): string[] {
  return module.split('.').filter((part) => part !== '');
}

function moduleOf(path: string): string | undefined {
  if (!path.endsWith('.py')) return undefined;
  return path.replace(/(\/__init__)?\.py$/, '').replaceAll('/', '.');
}
