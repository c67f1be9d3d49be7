import type { Experiment } from '../domain/experiment.ts';
import { runnerOf } from './check-measures.ts';
import type { Ledger } from './ledger.ts';
import type { ModuleMap } from './module-map.ts';
import { resolveImport, submodule } from './module-names.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

/** Functions that tools look for by name. */
const OF_TOOLS = /^(main|app|cli|setup|make_\w*app|create_app|pytest_\w+|__\w+)$/;

/**
 * Functions and classes that nothing which can be started leads to. By names alone: whoever mentions a name may use all
 * that are called so, and a name that is put together can only be one whose parts are written somewhere.
 */
export function checkReach(
  map: ModuleMap,
  planned: readonly string[],
  { ledger, experiments }: { readonly ledger: Ledger; readonly experiments: readonly Experiment[] },
): Sighting[] {
  const files = [...map.files.values()];
  const code = files.filter(({ language, path }) => language === 'python' && !isTest(path));
  // Without a plan, anything may be for others to call.
  const owners = new Set([
    ...ledger.files.map(({ path }) => path),
    ...experiments.flatMap((experiment) => runnerOf(map, experiment)?.path ?? []),
  ]);
  const isUnsure =
    owners.size === 0 ||
    planned.some((path) => /\.(py|ya?ml|json|toml|sh)$/.test(path)) ||
    code.some(({ problems, code: { traces } }) => problems.length > 0 || traces.looksUp) ||
    // Without anything that starts, all of it is a library.
    !code.some(({ isScript }) => isScript);
  if (isUnsure) return [];
  const { live, mentions } = follow(files, code, [
    ...lookedUp(map, files, code),
    ...experiments.flatMap(({ command, axes }) => [
      ...wordsIn([command]),
      ...axes.flatMap(({ values }) => wordsIn(values)),
    ]),
  ]);
  const owned = code.filter(({ path }) => owners.has(path));
  return owned.flatMap((file) => {
    const lost = file.code.traces.definitions.filter(
      ({ name, isDecorated }) =>
        !live.has(name) && !isDecorated && !name.startsWith('_') && !OF_TOOLS.test(name),
    );
    // What only a lost one mentions is lost with it, and told there.
    const causes = lost.filter(({ name }) => !(mentions.get(name) ?? []).some((by) => by !== name));
    const told = causes.length > 0 ? causes : lost.slice(0, 1);
    return told.map(({ name, line, isClass }) => unreached(file, { name, line, isClass }));
  });
}

/** The definitions that some file may find by a computed name. */
function lookedUp(
  map: ModuleMap,
  files: readonly ParsedFile[],
  code: readonly ParsedFile[],
): string[] {
  const lookups = code.flatMap((file) => file.code.traces.lookups.map((one) => ({ ...one, file })));
  if (lookups.length === 0) return [];
  const written = new Set(
    files.flatMap(({ settings }) => settings.strings.flatMap((one) => wordsIn([one]))),
  );
  return lookups.flatMap(({ of, shape, file }) => {
    const found = of === '' ? [file] : of === '*' ? code : modulesNamed(map, file, of);
    const names = found.flatMap((one) => one.code.traces.definitions.map(({ name }) => name));
    if (shape === '\0') return names;
    const pattern = new RegExp(
      `^${shape
        .split('\0')
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('(\\w+)')}$`,
    );
    return names.filter((name) => {
      const [whole, ...parts] = pattern.exec(name) ?? [];
      return whole !== undefined && parts.every((part) => written.has(part));
    });
  });
}

/** The modules that a name of a file's imports may be, with those inside a package. */
function modulesNamed(map: ModuleMap, file: ParsedFile, name: string): ParsedFile[] {
  return file.imports.flatMap((use) => {
    const names = use.names?.map((one) => one.alias ?? one.name) ?? [
      use.alias ?? use.module.split('.')[0] ?? '',
    ];
    const module = names.includes(name) ? resolveImport(map, file.path, use) : undefined;
    if (module === undefined) return [];
    const inner = use.names?.find((one) => (one.alias ?? one.name) === name)?.name;
    const target = (inner === undefined ? undefined : submodule(map, module, inner)) ?? module;
    return [...map.files.values()].filter(
      ({ path }) => path === target.path || path.startsWith(`${target.folder}/`),
    );
  });
}

function wordsIn(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
}

interface Reach {
  /** Names that what starts leads to. */
  readonly live: ReadonlySet<string>;
  /** The top-level definitions that mention a name. */
  readonly mentions: ReadonlyMap<string, readonly string[]>;
}

function follow(
  files: readonly ParsedFile[],
  code: readonly ParsedFile[],
  found: readonly string[],
): Reach {
  const inside = new Map<string, string[]>();
  const mentions = new Map<string, string[]>();
  const work: string[] = [...found, ...files.flatMap((file) => rootsOf(file))];
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
  const told = code.commands.flatMap(({ words: given }) => given.flatMap((word) => word ?? []));
  return [
    ...(isTest(path) ? settings.names : []),
    ...(language === 'python' ? [] : wordsIn([...settings.strings, ...told])),
    ...wordsIn(code.consoleScripts.map(({ target }) => target)),
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
