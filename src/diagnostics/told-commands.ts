import type { CommandUse } from './code-facts.ts';
import { type CommandTarget, targetOf } from './command-target.ts';
import { splitCommands } from './command-words.ts';
import {
  folderOf,
  joinPath,
  type LocalModule,
  type ModuleMap,
  resolveAbsolute,
} from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';

/** The command of an experiment, its axes as placeholders: `python run.py --dataset {dataset}`. */
export interface ExperimentCommand {
  readonly experiment: string;
  readonly command: string;
}

/** A command that readers are told to run, with the file of the repository that it starts. */
export interface ToldCommand {
  /** Where it is told: a document or script, or `E1` for an experiment of the plan. */
  readonly teller: string;
  /** The document or script; null for an experiment. */
  readonly tellerPath: string | null;
  readonly line: number;
  readonly written: string;
  readonly target: CommandTarget;
  /** The file that it starts; undefined when there is none. */
  readonly path: string | undefined;
  /** Something else may have put its target there. */
  readonly isForeign: boolean;
}

/** Every command of documents, scripts and the plan that starts something of the repository. */
export function readToldCommands(
  map: ModuleMap,
  experiments: readonly ExperimentCommand[],
): ToldCommand[] {
  const told = [...map.files.values()].flatMap((file) => {
    const fetches = file.code.commands.some(
      ({ words: [first, second] }) =>
        /^(wget|curl|unzip|tar)$/.test(first ?? '') || (first === 'git' && second === 'clone'),
    );
    return file.code.commands.flatMap((use) => toldCommand(map, { file, use, fetches }));
  });
  const planned = experiments.flatMap(({ experiment, command }) =>
    splitCommands(command, '').flatMap((use) =>
      toldCommand(map, { file: experiment, use, fetches: false }),
    ),
  );
  return [...told, ...planned];
}

function toldCommand(
  map: ModuleMap,
  {
    file,
    use,
    fetches,
  }: Readonly<{ file: ParsedFile | string; use: CommandUse; fetches: boolean }>,
): ToldCommand[] {
  const target = targetOf(use);
  if (target === undefined) return [];
  const tellerPath = typeof file === 'string' ? null : file.path;
  const home = tellerPath === null ? '' : folderOf(tellerPath);
  const [top = ''] = (
    target.kind === 'module' ? target.name.replaceAll('.', '/') : target.path
  ).split('/');
  const isInTree = map.folders.has(top) || map.files.has(top) || map.files.has(`${top}.py`);
  return [
    {
      teller: tellerPath ?? `experiment ${typeof file === 'string' ? file : ''}`,
      tellerPath,
      line: use.line,
      written: use.words.map((word) => word ?? '…').join(' '),
      target,
      path: pathOf(map, target, home),
      isForeign: fetches && !isInTree,
    },
  ];
}

function pathOf(map: ModuleMap, target: CommandTarget, home: string): string | undefined {
  if (target.kind === 'module') return startOf(map, moduleNamed(map, target.name));
  // A script may be meant to be started from its own folder.
  return [target.path, joinPath(home, target.path)].find((path) => map.has(path));
}

/** The module that `python -m` would find from the root. */
export function moduleNamed(map: ModuleMap, name: string): LocalModule | undefined {
  return resolveAbsolute(map, '', name);
}

function startOf(map: ModuleMap, module: LocalModule | undefined): string | undefined {
  if (module === undefined) return undefined;
  const isPackage = module.path === undefined || module.path.endsWith('/__init__.py');
  const path = isPackage ? joinPath(module.folder, '__main__.py') : module.path;
  return path !== undefined && map.has(path) ? path : undefined;
}
