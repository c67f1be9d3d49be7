import type { Problem } from '../domain/finding.ts';
import { hollowProblem } from './check-file.ts';
import type { ParsedFile } from './parsed-file.ts';

/**
 * Methods that only raise NotImplementedError and that no class of the repository overrides.
 * Nothing is reported while Python files are planned: one of them may hold the subclass.
 */
export function checkAbstract(files: readonly ParsedFile[], planned: readonly string[]): Problem[] {
  if (planned.some((path) => path.endsWith('.py'))) return [];
  const overridden = overriddenMethods(files);
  return files.flatMap(({ path, hollow }) =>
    hollow
      .filter(({ mayBeAbstract, symbol }) => {
        const [owner, method] = symbol.split('.').slice(-2);
        return mayBeAbstract && !overridden.has(`${owner ?? ''}.${method ?? ''}`);
      })
      .map((definition) => hollowProblem(path, definition)),
  );
}

/** `Base.method` for each method of a class that names `Base` among its bases, at any distance. */
function overriddenMethods(files: readonly ParsedFile[]): ReadonlySet<string> {
  const classes = files
    .flatMap((file) => file.interface.definitions)
    .filter(({ kind }) => kind === 'class')
    .map(({ name, signature, members }) => ({
      name,
      bases: /\bclass \w+[^(]*\((.*)\)$/.exec(signature)?.[1]?.match(/\w+/g) ?? [],
      methods: members.map((member) => member.name),
    }));
  const ancestors = (name: string, visited: readonly string[]): readonly string[] => {
    if (visited.includes(name)) return visited;
    const bases = classes.filter((one) => one.name === name).flatMap((one) => one.bases);
    return bases.reduce<readonly string[]>(
      (seen, base) => ancestors(base, seen),
      [...visited, name],
    );
  };
  return new Set(
    classes.flatMap(({ bases, methods }) =>
      bases
        .reduce<readonly string[]>((seen, base) => ancestors(base, seen), [])
        .flatMap((base) => methods.map((method) => `${base}.${method}`)),
    ),
  );
}
