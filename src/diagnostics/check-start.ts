import { folderOf, type ModuleMap } from './module-map.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import type { ToldCommand } from './told-commands.ts';

const INSTALLERS = ['setup.py', 'setup.cfg', 'pyproject.toml'];

/**
 * Files that are started as `python folder/file.py` and then cannot load their modules: as a script a file belongs to
 * no package, and Python looks into its folder, not into the one that it is started from.
 */
export function checkStart(map: ModuleMap, told: readonly ToldCommand[]): Sighting[] {
  const started = new Map(
    told.flatMap((command) =>
      command.target.kind === 'script' && command.path !== undefined
        ? [[command.path, command] as const]
        : [],
    ),
  );
  return [...started].flatMap(([path, command]) => {
    const file = map.files.get(path);
    if (file?.language !== 'python' || file.problems.length > 0) return [];
    const use = file.imports.find((one) => failsInScript(map, file, one));
    return use === undefined ? [] : [unstartable(file, use, command)];
  });
}

function failsInScript(map: ModuleMap, { path }: ParsedFile, use: ImportUse): boolean {
  if (use.place !== 'module') return false;
  if (use.level > 0) return true;
  const folder = folderOf(path);
  if (folder === '' || canFindMore(map)) return false;
  const [top = ''] = use.module.split('.');
  const isAtRoot = ['', 'src'].some((root) => map.moduleAt(root, top) !== undefined);
  return isAtRoot && map.moduleAt(folder, top) === undefined;
}

/** Whether an installation, or a file that changes the path, may put the root where Python looks. */
function canFindMore(map: ModuleMap): boolean {
  return (
    INSTALLERS.some((path) => map.has(path)) ||
    [...map.files.values()].some(({ extendsPath }) => extendsPath)
  );
}

function unstartable({ path }: ParsedFile, use: ImportUse, command: ToldCommand): Sighting {
  const written = '.'.repeat(use.level) + use.module;
  const module = path.replace(/\.py$/, '').replaceAll('/', '.');
  const why =
    use.level > 0
      ? 'as a script it is in no package'
      : `Python looks for it in ${folderOf(path)} and not at the root`;
  return {
    kind: 'package-layout',
    path,
    symbol: written,
    line: use.line,
    message: (places) =>
      `${command.teller} starts ${path} as a file, but it imports \`${written}\` ${places}: ${why}, so the import fails.`,
    remedy: `Start it as \`python -m ${module}\`, or move it to the root and import absolutely.`,
  };
}
