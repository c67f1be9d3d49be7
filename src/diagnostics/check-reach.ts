import type { Experiment } from '../domain/experiment.ts';
import { runnerOf } from './check-measures.ts';
import type { Ledger } from './ledger.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

/** Functions that tools look for by name. */
const OF_TOOLS = /^(main|app|cli|setup|make_\w*app|create_app|pytest_\w+|__\w+)$/;

/**
 * Functions and classes of files that own requirements or run experiments, and that nothing which can be started leads
 * to. By names alone: whoever mentions a name may use all that are called so.
 */
export function checkReach(
  map: ModuleMap,
  planned: readonly string[],
  { ledger, experiments }: { readonly ledger: Ledger; readonly experiments: readonly Experiment[] },
): Sighting[] {
  const files = [...map.files.values()];
  const code = files.filter(({ language, path }) => language === 'python' && !isTest(path));
  const owners = new Set([
    ...ledger.files.flatMap(({ path, owns }) => (owns.length > 0 ? [path] : [])),
    ...experiments.flatMap((experiment) => runnerOf(map, experiment)?.path ?? []),
  ]);
  const isUnsure =
    owners.size === 0 ||
    planned.some((path) => /\.(py|ya?ml|json|toml|sh)$/.test(path)) ||
    code.some(({ problems, code: { traces } }) => problems.length > 0 || traces.looksUp) ||
    // Without anything that starts, all of it is a library.
    !code.some(({ isScript }) => isScript);
  if (isUnsure) return [];
  const { live, mentions } = follow(files, code);
  return code
    .filter(({ path }) => owners.has(path))
    .flatMap((file) => {
      const lost = file.code.traces.definitions.filter(
        ({ name, isDecorated }) =>
          !live.has(name) && !isDecorated && !name.startsWith('_') && !OF_TOOLS.test(name),
      );
      // What only a lost one mentions is lost with it, and told there.
      const causes = lost.filter(
        ({ name }) => !(mentions.get(name) ?? []).some((by) => by !== name),
      );
      const told = causes.length > 0 ? causes : lost.slice(0, 1);
      return told.map(({ name, line, isClass }) => unreached(file, { name, line, isClass }));
    });
}

interface Reach {
  /** Names that what starts leads to. */
  readonly live: ReadonlySet<string>;
  /** The top-level definitions that mention a name. */
  readonly mentions: ReadonlyMap<string, readonly string[]>;
}

function follow(files: readonly ParsedFile[], code: readonly ParsedFile[]): Reach {
  const inside = new Map<string, string[]>();
  const mentions = new Map<string, string[]>();
  const work: string[] = files.flatMap((file) => rootsOf(file));
  for (const { code: facts } of code) {
    const definitions = new Map(facts.traces.definitions.map((one) => [one.name, one]));
    for (const { symbol, names } of facts.traces.mentions) {
      if (symbol === '' || !definitions.has(symbol) || definitions.get(symbol)?.isDecorated) {
        work.push(...names);
        continue;
      }
      inside.set(symbol, [...(inside.get(symbol) ?? []), ...names]);
      for (const name of names) mentions.set(name, [...(mentions.get(name) ?? []), symbol]);
    }
    for (const { name } of facts.traces.definitions) if (OF_TOOLS.test(name)) work.push(name);
  }
  const live = new Set<string>();
  for (let name = work.pop(); name !== undefined; name = work.pop()) {
    if (live.has(name)) continue;
    live.add(name);
    work.push(...(inside.get(name) ?? []));
  }
  return { live, mentions };
}

/** Names that a file mentions in the way of who starts or looks up: tests, data, commands, and what a package offers. */
function rootsOf(file: ParsedFile): string[] {
  const { path, language, settings, code, exported, imports } = file;
  const words = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
  const told = code.commands.flatMap(({ words: given }) => given.flatMap((word) => word ?? []));
  return [
    ...(isTest(path) ? settings.names : []),
    ...(language === 'python' ? [] : words([...settings.strings, ...told])),
    ...words(code.consoleScripts.map(({ target }) => target)),
    ...(exported ?? []),
    // What a package offers at its front is for others to call.
    ...(path.endsWith('__init__.py')
      ? imports.flatMap(({ names }) => (names ?? []).map(({ name }) => name))
      : []),
  ];
}

function unreached(
  { path }: ParsedFile,
  {
    name,
    line,
    isClass,
  }: { readonly name: string; readonly line: number; readonly isClass: boolean },
): Sighting {
  return {
    ...{ kind: 'unreached', path, symbol: name, line },
    message: (places) =>
      `${path} defines the ${isClass ? 'class' : 'function'} \`${name}\` ${places}, which nothing that can be started, no test and no table leads to.`,
    remedy: `Call \`${name}\` where it belongs, so that a command reaches it; remove it where something else does its work.`,
  };
}
