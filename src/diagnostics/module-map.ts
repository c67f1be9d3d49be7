import type { ParsedFile } from './parsed-file.ts';
import { isUnmistakable } from './package-names.ts';
import { STANDARD_LIBRARY } from './standard-library.ts';

/** A module or package of the repository. */
export interface LocalModule {
  /** Dotted, as an absolute import would name it. */
  readonly name: string;
  /** The file that defines its names; undefined for a folder without `__init__.py`. */
  readonly path: string | undefined;
  /** Where its sub-modules are, without an extension. */
  readonly folder: string;
  /** Found in the middle of a package, because a file may have put that on Python's path: it may as well be a library's. */
  readonly isGuess?: true;
}

/** The modules of a tree, written or planned. */
export interface ModuleMap {
  readonly files: ReadonlyMap<string, ParsedFile>;
  /** Whether a file is written or planned. */
  readonly has: (path: string) => boolean;
  /** Folders that hold Python files, at any depth. */
  readonly folders: ReadonlySet<string>;
  /** All modules by their path, for suggestions. */
  readonly modules: readonly LocalModule[];
  /** Where an absolute import of this file may start. */
  readonly rootsOf: (importer: string) => readonly string[];
  /** Whether a root is one only if some file puts it on Python's path. */
  readonly isGuess: (root: string) => boolean;
  /** The module at a place, or undefined. */
  readonly moduleAt: (root: string, dotted: string) => LocalModule | undefined;
}

const EXTENSIONS = ['.py', '.pyi', '.pyx', '.so', '.pyd'];

/** Reads the modules off the paths of a tree and of what is still planned for it. */
export function mapModules(
  files: ReadonlyMap<string, ParsedFile>,
  planned: readonly string[],
): ModuleMap {
  const compiled = [...files.values()].flatMap(({ code }) => code.compiled);
  const written = [...files.keys(), ...planned];
  const folders = new Set(written.filter(isPython).flatMap(foldersAbove));
  const paths = new Set([...written, ...compiled.map((name) => compiledPath(folders, name))]);
  const has = (path: string): boolean => paths.has(path);
  const found = new Map<string, LocalModule | undefined>();
  const moduleAt = (root: string, dotted: string): LocalModule | undefined => {
    const folder = joinPath(root, dotted.replaceAll('.', '/'));
    if (!found.has(folder)) found.set(folder, moduleIn(folder));
    return found.get(folder);
  };
  const moduleIn = (folder: string): LocalModule | undefined => {
    const path = [joinPath(folder, '__init__.py'), ...EXTENSIONS.map((end) => folder + end)].find(
      has,
    );
    if (path === undefined && !folders.has(folder)) return undefined;
    return { name: nameOf(folder), path, folder };
  };
  const modules = [...paths].filter(isPython).map((path): LocalModule => {
    const folder = path.replace(/(\/__init__)?\.pyi?$/, '');
    return { name: nameOf(folder), path, folder };
  });
  const anywhere = [...files.values()].some(({ extendsPath }) => extendsPath);
  const scripts = [...files.values()].filter(
    // `python -m package` starts from the package's parent.
    ({ isScript, path }) => isScript && !/(^|\/)(__main__|test_\w+)\.py$/.test(path),
  );
  const scriptFolders = new Set(scripts.map(({ path }) => folderOf(path)));
  const roots = new Map<string, string[]>();
  const rootsOf = (importer: string): string[] => {
    const folder = folderOf(importer);
    const known = roots.get(folder) ?? rootsAround(importer);
    roots.set(folder, known);
    return known;
  };
  const rootsAround = (importer: string): string[] => {
    const isRoot = (folder: string): boolean =>
      scriptFolders.has(folder) || !has(`${folder}/__init__.py`);
    // A file that changes sys.path may make any folder a root, for all that are loaded after it.
    const nearby = anywhere ? [...folders] : foldersAbove(importer).filter(isRoot);
    return ['', ...(folders.has('src') ? ['src'] : []), ...nearby];
  };
  const isGuess = (root: string): boolean =>
    anywhere && !scriptFolders.has(root) && has(`${root}/__init__.py`);
  return { files, has, folders, modules, rootsOf, isGuess, moduleAt };
}

/** Where an installation puts a module that it compiles. */
function compiledPath(folders: ReadonlySet<string>, name: string): string {
  const path = `${name.replaceAll('.', '/')}.so`;
  return folders.has(`src/${name.split('.')[0] ?? ''}`) ? `src/${path}` : path;
}

/** The module that an absolute import means, or undefined when it means none of the repository. */
export function resolveAbsolute(
  map: ModuleMap,
  importer: string,
  dotted: string,
): LocalModule | undefined {
  for (const root of map.rootsOf(importer)) {
    const module = map.moduleAt(root, dotted);
    if (module !== undefined) return map.isGuess(root) ? { ...module, isGuess: true } : module;
  }
  return undefined;
}

/** Whether a top-level name stands for something in the repository, as this file sees it. Python's own modules come first. */
export function isLocal(map: ModuleMap, importer: string, topLevel: string): boolean {
  const module = STANDARD_LIBRARY.has(topLevel)
    ? undefined
    : resolveAbsolute(map, importer, topLevel);
  // A file `dask.py` that imports `dask` means the library; only a package imports from itself.
  const isItself = module?.path === importer && !importer.endsWith('__init__.py');
  // In a package, `torch` is the library, whatever the package calls its own modules.
  const isDeep = module?.folder.replace(/^src\//, '').includes('/') === true;
  const isLibrary = isUnmistakable(topLevel) && isDeep;
  return module !== undefined && !isItself && !isLibrary;
}

/** The folder that a relative import starts from; undefined when its dots leave the package. */
export function relativeBase(map: ModuleMap, importer: string, level: number): string | undefined {
  const parts = importer.split('/').slice(0, -1);
  const up = level - 1;
  if (up > parts.length) return undefined;
  const base = parts.slice(0, parts.length - up).join('/');
  const isTopLevel = base === '' || (base === 'src' && !isImportedAs(map, 'src'));
  return isTopLevel && !map.has(joinPath(base, '__init__.py')) ? undefined : base;
}

/** Two parts of a path, the first of which may be empty. */
export function joinPath(folder: string, rest: string): string {
  return folder === '' || rest === '' ? folder + rest : `${folder}/${rest}`;
}

/** The folder that holds a file; empty for the root. */
export function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}

function isImportedAs(map: ModuleMap, topLevel: string): boolean {
  return [...map.files.values()].some(({ imports }) =>
    imports.some(({ level, module }) => level === 0 && module.split('.')[0] === topLevel),
  );
}

function nameOf(folder: string): string {
  return folder.replace(/^src\//, '').replaceAll('/', '.');
}

function isPython(path: string): boolean {
  return /\.(py|pyi|pyx)$/.test(path);
}

/** Every folder around a file, the nearest first, without the root. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder);
  return folders;
}
