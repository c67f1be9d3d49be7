import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isUnmistakable } from '../diagnostics/package-names.ts';
import { STANDARD_LIBRARY } from '../diagnostics/standard-library.ts';
import { RepositoryPath } from '../domain/path.ts';

/** Texts of Python files by path. */
export type PythonTexts = ReadonlyMap<string, string>;

/** What came and went on disk: absolute paths. */
export interface FolderChanges {
  readonly created: readonly string[];
  readonly deleted: readonly string[];
}

/** A folder on disk that is made equal to one tree after the other. */
export interface PyrightFolder {
  /** Holds nothing: where the program starts and finds no other programs. */
  readonly empty: string;
  readonly root: string;
  /** Writes what differs and deletes what is gone. */
  become(texts: PythonTexts): Promise<FolderChanges>;
  end(): Promise<void>;
}

/** Rules whose diagnostics are read (`diagnostics/type-faults.ts`); all others are off, and so is all that asks for packages. */
const CONFIGURATION = {
  typeCheckingMode: 'off',
  pythonVersion: '3.12',
  pythonPlatform: 'All',
  stubPath: '../stubs',
  include: ['.'],
  reportAttributeAccessIssue: 'error',
  reportCallIssue: 'error',
  reportUnboundVariable: 'error',
  reportUnhashable: 'error',
  reportOperatorIssue: 'error',
  reportIndexIssue: 'error',
  reportGeneralTypeIssues: 'error',
  reportArgumentType: 'error',
  reportUnusedCoroutine: 'error',
  reportMissingImports: 'none',
  reportMissingModuleSource: 'none',
} as const;

/** Stands for a package that is not installed: anything may be in it. */
const STUB = 'from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n';
/** Pyright brings types of these that can be relied upon. */
const KNOWN_PACKAGES: ReadonlySet<string> = new Set(['yaml']);

/** Makes a folder of its own below the system's folder for temporary files. */
export async function createPyrightFolder(): Promise<PyrightFolder> {
  const home = await mkdtemp(join(tmpdir(), 'deeprepro-pyright-'));
  const [root, stubs, empty] = [join(home, 'tree'), join(home, 'stubs'), join(home, 'empty')];
  await Promise.all([root, stubs, empty].map((folder) => mkdir(folder)));
  await writeFile(join(root, 'pyrightconfig.json'), JSON.stringify(CONFIGURATION));
  let held: PythonTexts = new Map();
  return {
    ...{ empty, root },
    async become(texts) {
      const wanted = new Map([
        ...[...texts]
          .filter(([path]) => RepositoryPath.safeParse(path).success)
          .map(([path, text]): [string, string] => [join(root, path), text]),
        ...stubsOf(texts).map((path): [string, string] => [join(stubs, path), STUB]),
      ]);
      const deleted = [...held.keys()].filter((path) => !wanted.has(path));
      const changed = [...wanted].filter(([path, text]) => (held.get(path) ?? text) !== text);
      const created = [...wanted].filter(([path]) => !held.has(path));
      // Deleted first: a file may have become a folder.
      await Promise.all(deleted.map((path) => rm(path, { force: true })));
      for (const [path, text] of [...created, ...changed]) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      held = wanted;
      const paths = (pairs: readonly (readonly [string, string])[]) => pairs.map(([path]) => path);
      return { created: paths(created), deleted };
    },
    end: () => rm(home, { recursive: true, force: true }),
  };
}

const IMPORT = /^[ \t]*(?:from[ \t]+([A-Za-z_][\w.]*)[ \t]+import\b|import[ \t]+([^#\n]+))/gm;

/** Stub files for every module that is imported and neither Python's nor the repository's. */
function stubsOf(texts: PythonTexts): string[] {
  const own = new Set([...texts.keys()].flatMap((path) => path.replace(/\.pyi?$/, '').split('/')));
  const isOwn = (name: string): boolean => own.has(name) && !isUnmistakable(name);
  const modules = new Set<string>();
  for (const text of texts.values())
    for (const [, from, names = ''] of text.matchAll(IMPORT))
      for (const name of from === undefined ? names.split(',') : [from]) {
        const [dotted = ''] = name.trim().split(/\s/);
        const [top = ''] = dotted.split('.');
        const isOther = !isOwn(top) && !STANDARD_LIBRARY.has(top) && !KNOWN_PACKAGES.has(top);
        if (/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(dotted) && isOther) modules.add(dotted);
      }
  const folders = [...modules].flatMap((dotted) =>
    dotted.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('/')),
  );
  return [...new Set(folders)].sort().map((folder) => `${folder}/__init__.pyi`);
}
