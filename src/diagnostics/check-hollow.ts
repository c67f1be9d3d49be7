import type { Problem } from '../domain/finding.ts';
import { hollowProblem } from './check-file.ts';
import type { ParsedFile } from './parsed-file.ts';

/**
 * Functions that do nothing, but for the methods that other classes of the repository give a sense: hooks that an heir
 * fills, and what an heir takes away from what it inherits. A method that only raises NotImplementedError is abstract if
 * any class overrides it, and left alone while Python files are planned or
 * cannot be read: one of them may hold the subclass.
 */
export function checkHollow(files: readonly ParsedFile[], planned: readonly string[]): Problem[] {
  const unread = files.filter(({ problems }) => problems.length > 0).map(({ path }) => path);
  const isOpen = [...planned, ...unread].some((path) => path.endsWith('.py'));
  const { filled, overridden, replacing } = readOverrides(files);
  return files.flatMap(({ path, hollow }) =>
    hollow
      .filter(({ mayBeAbstract, symbol }) => {
        const method = methodName(symbol);
        if (replacing.has(method)) return false;
        return mayBeAbstract ? !isOpen && !overridden.has(method) : !filled.has(method);
      })
      .map((definition) => hollowProblem(path, definition)),
  );
}

/** Methods as `Class.method`, by what other classes of that line have under the same name. */
interface Overrides {
  readonly overridden: ReadonlySet<string>;
  /** By a method that does something. */
  readonly filled: ReadonlySet<string>;
  /** In place of an inherited one that does something. */
  readonly replacing: ReadonlySet<string>;
}

function readOverrides(files: readonly ParsedFile[]): Overrides {
  const empty = new Set(files.flatMap(({ code }) => code.emptyFunctions.map(methodName)));
  const pairs = overridingPairs(files);
  return {
    overridden: new Set(pairs.map(([base]) => base)),
    filled: new Set(pairs.filter(([, heir]) => !empty.has(heir)).map(([base]) => base)),
    replacing: new Set(pairs.filter(([base]) => !empty.has(base)).map(([, heir]) => heir)),
  };
}

function methodName(symbol: string): string {
  return symbol.split('.').slice(-2).join('.');
}

/** `Base.method` and `Heir.method` for each method of a class that a class which it inherits from, at any distance, has too. */
function overridingPairs(files: readonly ParsedFile[]): readonly (readonly [string, string])[] {
  const classes = files
    .flatMap((file) => file.interface.definitions)
    .filter(({ kind }) => kind === 'class')
    .map(({ name, signature, members }) => ({
      name,
      bases: /\bclass \w+[^(]*\((.*)\)$/.exec(signature)?.[1]?.match(/\w+/g) ?? [],
      methods: members.map((member) => member.name),
    }));
  const byName = new Map<string, typeof classes>();
  for (const one of classes) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  const ancestors = (name: string, visited: readonly string[]): readonly string[] => {
    if (visited.includes(name)) return visited;
    const bases = (byName.get(name) ?? []).flatMap((one) => one.bases);
    return bases.reduce<readonly string[]>(
      (seen, base) => ancestors(base, seen),
      [...visited, name],
    );
  };
  return classes.flatMap(({ name, bases, methods }) =>
    bases
      .reduce<readonly string[]>((seen, base) => ancestors(base, seen), [])
      .filter((base) => base !== name)
      .flatMap((base) => {
        const has = new Set((byName.get(base) ?? []).flatMap((one) => one.methods));
        return methods
          .filter((method) => has.has(method))
          .map((method) => [`${base}.${method}`, `${name}.${method}`] as const);
      }),
  );
}
