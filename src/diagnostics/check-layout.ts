import { folderOf, joinPath, type ModuleMap, relativeBase } from './module-map.ts';
import { resolveImport } from './module-names.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

const INSTALLERS = ['setup.py', 'setup.cfg', 'pyproject.toml'];

/**
 * Folders that an installer would leave out. Started from the root, Python imports from any folder; only a repository
 * that is installed needs its packages marked.
 */
export function checkLayout(map: ModuleMap): Sighting[] {
  const files = [...map.files.values()];
  const isInstalled = INSTALLERS.some((path) => map.files.has(path));
  const unmarked = (isInstalled ? files : []).flatMap((file) =>
    file.imports.flatMap((use) =>
      packageFolders(map, file, use)
        .filter((folder) => !map.has(`${folder}/__init__.py`))
        .map((folder) => missingInit(folder, file, use)),
    ),
  );
  return [...unmarked, ...files.flatMap((file) => absentPackages(map, file))];
}

/** Packages that an installation is to take along and that are not there. */
function absentPackages(map: ModuleMap, { path, code }: ParsedFile): Sighting[] {
  return code.installed
    .filter((name) => ['', 'src'].every((root) => map.moduleAt(root, name) === undefined))
    .map((name) => ({
      kind: 'package-layout',
      path,
      symbol: name,
      line: 0,
      message: () =>
        `${path} installs the package \`${name}\`, but the repository has no folder of that name, so the installation fails.`,
      remedy: `List the packages that exist, or let setuptools find them.`,
    }));
}

/** The folders that an import goes through as packages. */
function packageFolders(map: ModuleMap, { path }: ParsedFile, use: ImportUse): string[] {
  const module = resolveImport(map, path, use);
  if (module === undefined) return [];
  // The module's own folder, when it is a package; else what it lies in.
  const isFile = module.path !== undefined && !module.path.endsWith('/__init__.py');
  const innermost = isFile ? folderOf(module.folder) : module.folder;
  const segments = use.module === '' ? 0 : use.module.split('.').length - (isFile ? 1 : 0);
  const base = use.level > 0 ? relativeBase(map, path, use.level) : undefined;
  const folders: string[] = [];
  for (let folder = innermost; folders.length < segments; folder = folderOf(folder))
    folders.push(folder);
  return [...folders, ...(base === undefined ? [] : [base])].filter((folder) => folder !== '');
}

function missingInit(folder: string, file: ParsedFile, use: ImportUse): Sighting {
  return {
    kind: 'package-layout',
    path: joinPath(folder, '__init__.py'),
    symbol: '',
    line: 0,
    message: () =>
      `${file.path} imports from the folder ${folder} as a package (line ${use.line}), but it has no __init__.py, so installing the repository leaves it out.`,
    remedy: `Add ${folder}/__init__.py; it may be empty.`,
  };
}
