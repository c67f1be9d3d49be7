import type { ArgumentFact } from './code-facts.ts';
import type { ModuleMap } from './module-map.ts';
import { resolveImport, submodule } from './module-names.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import { isIdle } from './check-entry-points.ts';
import type { Sighting } from './sightings.ts';
import type { ToldCommand } from './told-commands.ts';

/** Commands whose flags the program does not take, or which lack one that it asks for. */
export function checkFlags(map: ModuleMap, told: readonly ToldCommand[]): Sighting[] {
  return told.flatMap((command) => {
    const file = command.path === undefined ? undefined : map.files.get(command.path);
    const reach = file?.language === 'python' ? reachOf(map, file) : undefined;
    if (file === undefined || reach === undefined) return [];
    if (reach.some(({ code }) => code.commandLine.isOpen) || isIdle(file)) return [];
    return [
      ...undefinedFlags(command, file, reach),
      ...wrongValues(command, file, reach),
      ...missingFlags(command, file, reach),
    ];
  });
}

/** Flags whose value no file reads. */
export function checkUnreadFlags(map: ModuleMap, planned: readonly string[]): Sighting[] {
  const files = [...map.files.values()].filter(({ language }) => language === 'python');
  const isUnsure =
    planned.some((path) => path.endsWith('.py')) ||
    files.some(({ problems, code }) => problems.length > 0 || code.commandLine.spreads);
  if (isUnsure) return [];
  const words = new Set(
    files.flatMap(({ code, settings }) => [...code.traces.attributesRead, ...settings.strings]),
  );
  return files.flatMap(({ path, code, faults }) =>
    code.commandLine.arguments
      .filter(
        ({ flags, destination }) =>
          destination !== '' &&
          flags[0]?.startsWith('-') &&
          !words.has(destination) &&
          destination !== 'version' &&
          // What one file shows alone is said already.
          !flags.some((flag) => faults.some(({ symbol }) => symbol === flag)),
      )
      .map(({ flags, destination, line }): Sighting => {
        const flag = flags.find((one) => one.startsWith('--')) ?? flags[0] ?? '';
        return {
          kind: 'unused-key',
          path,
          symbol: flag,
          line,
          message: (places) =>
            `${path} takes \`${flag}\` ${places}, but nothing reads \`${destination}\`, so the flag has no effect.`,
          remedy: `Use \`args.${destination}\` where it belongs, or remove the flag.`,
        };
      }),
  );
}

/** A file and all local files that it loads, however far; undefined when one of them can't be read. */
function reachOf(map: ModuleMap, start: ParsedFile): readonly ParsedFile[] | undefined {
  const reached = new Map<string, ParsedFile>([[start.path, start]]);
  for (const file of reached.values()) {
    if (file.problems.length > 0) return undefined;
    for (const use of file.imports) {
      const module = resolveImport(map, file.path, use);
      const inner = module && (use.names ?? []).map(({ name }) => submodule(map, module, name));
      for (const one of [module, ...(inner ?? [])]) {
        if (one?.path === undefined) continue;
        const loaded = map.files.get(one.path);
        if (loaded === undefined) return undefined;
        reached.set(loaded.path, loaded);
      }
    }
  }
  return [...reached.values()];
}

function argumentsIn(reach: readonly ParsedFile[]): readonly ArgumentFact[] {
  return reach.flatMap(({ code }) => code.commandLine.arguments);
}

/** The variables of parsers that belong to other sub-commands than the one that is given. */
function otherParsers({ target }: ToldCommand, { code }: ParsedFile): ReadonlySet<string> {
  const { subcommands } = code.commandLine;
  const chosen = subcommands.find(({ name }) => target.given.includes(name));
  if (chosen === undefined) return new Set();
  const own = new Set([chosen.holder, ...chosen.parents]);
  const others = subcommands.map(({ holder }) => holder).filter((holder) => !own.has(holder));
  return new Set(others);
}

function undefinedFlags(
  command: ToldCommand,
  file: ParsedFile,
  reach: readonly ParsedFile[],
): Sighting[] {
  const others = otherParsers(command, file);
  const known = argumentsIn(reach)
    .filter(({ holder }) => !others.has(holder))
    .flatMap(({ flags }) => flags);
  const readsNone = !reach.some(
    ({ code }) => code.commandLine.parses || code.commandLine.parsers > 0,
  );
  return flagsOf(command)
    .filter(
      ({ flag }) =>
        readsNone ||
        !known.some((one) => one === flag || (flag.startsWith('--') && one.startsWith(flag))),
    )
    .map(({ flag }) => {
      const near = nearestName(flag, known);
      const lack = readsNone
        ? 'reads no command line, so the flag has no effect'
        : 'defines no such flag, so it does not start';
      const instead = near === undefined ? '' : `Use \`${near}\`, which it has, or add`;
      return flagSighting(command, file, {
        symbol: `${file.path}: ${flag}`,
        what: `gives ${file.path} the flag \`${flag}\`, but ${file.path} ${lack}`,
        remedy: `${instead === '' ? 'Add' : instead} \`${flag}\` to the parser${command.tellerPath === null ? '' : ', or leave it out'}.`,
      });
    });
}

function wrongValues(
  command: ToldCommand,
  file: ParsedFile,
  reach: readonly ParsedFile[],
): Sighting[] {
  return flagsOf(command).flatMap(({ flag, value }) => {
    const facts = argumentsIn(reach).filter(({ flags }) => flags.includes(flag));
    const offered = facts.flatMap(({ choices }) => choices ?? []);
    const isOpen = facts.length === 0 || facts.some(({ choices }) => choices === null);
    if (
      isOpen ||
      value === null ||
      value === '' ||
      value.startsWith('-') ||
      offered.includes(value)
    )
      return [];
    return [
      flagSighting(command, file, {
        symbol: `${file.path}: ${flag} ${value}`,
        what: `gives ${file.path} \`${flag} ${value}\`, but it only takes ${offered.map((one) => `\`${one}\``).join(', ')}, so it does not start`,
        remedy: `Use one of these, or offer \`${value}\`.`,
      }),
    ];
  });
}

function missingFlags(
  command: ToldCommand,
  file: ParsedFile,
  reach: readonly ParsedFile[],
): Sighting[] {
  const parsers = reach.reduce((sum, { code }) => sum + code.commandLine.parsers, 0);
  // A word that only the shell knows may hold the flag.
  if (parsers !== 1 || hasLooseUnknown(command)) return [];
  const given = flagsOf(command).map(({ flag }) => flag);
  return file.code.commandLine.arguments
    .filter(
      ({ isRequired, flags }) =>
        isRequired && !given.some((flag) => flags.some((one) => one.startsWith(flag))),
    )
    .map(({ flags: [flag = ''] }) =>
      flagSighting(command, file, {
        symbol: `${file.path}: ${flag} missing`,
        what: `starts ${file.path} without \`${flag}\`, which it requires, so it does not start`,
        remedy: `Give \`${flag}\`, or let it have a default.`,
      }),
    );
}

interface GivenFlag {
  readonly flag: string;
  /** Null where only the shell knows it, or there is none. */
  readonly value: string | null;
}

function flagsOf({ target: { given } }: ToldCommand): GivenFlag[] {
  return given.flatMap((word, index) => {
    const [, flag, , value] = /^(--[A-Za-z][\w-]*|-[A-Za-z])(=(.*))?$/s.exec(word ?? '') ?? [];
    if (flag === undefined || /^(--help|-h)$/.test(flag)) return [];
    return [{ flag, value: value === undefined ? (given[index + 1] ?? null) : value }];
  });
}

function hasLooseUnknown({ target: { given } }: ToldCommand): boolean {
  return given.some((word, index) => word === null && !given[index - 1]?.startsWith('-'));
}

function flagSighting(
  command: ToldCommand,
  file: ParsedFile,
  { symbol, what, remedy }: Readonly<{ symbol: string; what: string; remedy: string }>,
): Sighting {
  // The plan stands: what an experiment is started with, the program must take.
  const path = command.tellerPath ?? file.path;
  return {
    kind: 'undefined-flag',
    path,
    symbol,
    line: command.tellerPath === null ? 0 : command.line,
    message: (places) => `${command.teller} ${places} ${what}.`.replace(/ {2,}/g, ' '),
    remedy,
  };
}
