import type { ModuleMap } from './module-map.ts';
import { moduleNamed, type ToldCommand } from './told-commands.ts';
import { namesOf } from './module-names.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

/** Commands that start a file which is not there, or which does nothing when it is started. */
export function checkEntryPoints(map: ModuleMap, told: readonly ToldCommand[]): Sighting[] {
  return [
    ...told.flatMap((command) => missingTarget(map, command)),
    ...told.flatMap((command) => idleTarget(map, command)),
    ...consoleScripts(map),
  ];
}

function missingTarget(map: ModuleMap, command: ToldCommand): Sighting[] {
  const { target, path, tellerPath, teller, line } = command;
  if (path !== undefined || command.isForeign) return [];
  if (target.kind === 'module' && !isOfRepository(map, target.name)) return [];
  const wanted = target.kind === 'module' ? `the module ${target.name}` : target.path;
  const candidates = [...map.files.keys()].filter((one) => /\.(py|sh)$/.test(one));
  const near = target.kind === 'module' ? undefined : nearestName(target.path, candidates);
  const missing = target.kind === 'module' ? `${target.name.replaceAll('.', '/')}.py` : target.path;
  return [
    {
      kind: 'missing-entry-point',
      path: tellerPath ?? missing,
      symbol: wanted,
      line,
      message: (places) =>
        `${teller} says to run \`${command.written}\` ${tellerPath === null ? '' : places}, but ${wanted} ${target.kind === 'module' ? 'cannot be run: there is no such file, and no __main__.py in a package of that name' : 'is not in the repository'}.`.replace(
          /\s+,/,
          ',',
        ),
      remedy: `${near === undefined ? '' : `Run ${near}, which exists, or `}${near === undefined ? 'Name' : 'name'} a file that exists${tellerPath === null ? `, or write ${missing}` : ''}.`,
    },
  ];
}

/** Other modules are of Python or of a library. */
function isOfRepository(map: ModuleMap, name: string): boolean {
  const [top = ''] = name.split('.');
  const module = moduleNamed(map, top);
  return module !== undefined && (name !== top || module.path !== undefined);
}

/** Whether starting a file only defines names. */
export function isIdle({ language, problems, isScript, code }: ParsedFile): boolean {
  return language === 'python' && problems.length === 0 && !isScript && !code.acts;
}

function idleTarget(map: ModuleMap, command: ToldCommand): Sighting[] {
  const file = command.path === undefined ? undefined : map.files.get(command.path);
  if (file === undefined || !isIdle(file)) return [];
  return [
    {
      kind: 'missing-entry-point',
      path: file.path,
      symbol: '__main__',
      line: 0,
      message: () =>
        `${command.teller} says to run \`${command.written}\`, but ${file.path} only defines names and never calls them, so nothing happens.`,
      remedy: `Add \`if __name__ == "__main__":\` to ${file.path} and call its main function there.`,
    },
  ];
}

function consoleScripts(map: ModuleMap): Sighting[] {
  return [...map.files.values()].flatMap(({ path, code }) =>
    code.consoleScripts.flatMap(({ name, target }): Sighting[] => {
      const [dotted = '', attribute = ''] = target.split(':');
      const module = moduleNamed(map, dotted);
      const names = module && namesOf(map, module);
      const [first = ''] = attribute.split('.');
      if (
        module === undefined
          ? !isOfRepository(map, dotted)
          : !names || first === '' || names.has(first)
      )
        return [];
      const lack =
        module === undefined
          ? `there is no module \`${dotted}\``
          : `\`${dotted}\` has no \`${first}\``;
      return [
        {
          kind: 'missing-entry-point',
          path,
          symbol: name,
          line: 0,
          message: () =>
            `${path} installs the command \`${name}\` as \`${target}\`, but ${lack}, so the command fails.`,
          remedy: `Name a function that exists, or define \`${first === '' ? dotted : first}\`.`,
        },
      ];
    }),
  );
}
