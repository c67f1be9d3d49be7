import type { KeyedTree } from '../analyzers/analysis.ts';
import type { ParsedFile } from '../diagnostics/parsed-file.ts';
import type { Problem } from '../domain/finding.ts';
import type { Ref } from '../domain/ref.ts';
import type { Tree } from '../domain/tree.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

/** Files whose reading is kept in this process, beside the analysis's own: what it has is not asked for again. */
const MOST_KEPT = 2_000;

const parsed = new Map<string, ParsedFile>();

/** Every file of a tree, parsed; what this process has parsed before is not parsed again. */
export async function parseTree(deps: Deps, tree: Tree): Promise<Map<string, ParsedFile>> {
  const files = Object.entries(tree).map(async ([path, ref]): Promise<[string, ParsedFile]> => {
    const known = parsed.get(keyOf(path, ref));
    return [path, known ?? (await parseText(deps, path, await getText(deps.store, ref), ref))];
  });
  return new Map(await Promise.all(files));
}

/** A file whose text is at hand, parsed once for all who look at it in this process. */
export async function parseText(
  { analysis }: Pick<Deps, 'analysis'>,
  path: string,
  text: string,
  ref: Ref,
): Promise<ParsedFile> {
  const key = keyOf(path, ref);
  const known = parsed.get(key);
  if (known) return known;
  const file = await analysis.parse({ path, key }, text);
  if (parsed.size >= MOST_KEPT) parsed.delete([...parsed.keys()][0] ?? '');
  parsed.set(key, file);
  return file;
}

/** Everything that is wrong with a tree. */
export async function checkStoredTree(
  { analysis, store }: Pick<Deps, 'analysis' | 'store'>,
  tree: Tree,
  plan: Omit<KeyedTree, 'files'>,
): Promise<Problem[]> {
  const files = Object.entries(tree).map(([path, ref]) => ({ path, key: keyOf(path, ref) }));
  return analysis.check({ ...plan, files }, async ({ path }) => {
    const ref = tree[path];
    if (ref === undefined) throw new Error(`The tree has no file ${path}.`);
    return getText(store, ref);
  });
}

/** By path and content: the same bytes under another name may be read as another language. */
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

/** For each written file, the local files that it really imports. */
export async function localImports(deps: Deps, tree: Tree): Promise<Map<string, string[]>> {
  const files = [...(await parseTree(deps, tree)).values()];
  return new Map(
    files.map((file) => [
      file.path,
      files
        .map(({ path }) => path)
        .filter(
          (path) => path !== file.path && file.imports.some((use) => names(use, file.path, path)),
        ),
    ]),
  );
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
