import { indexOf, meaningOf } from './called-names.ts';
import type { ModuleMap } from './module-map.ts';

/** Classes that inherit from each other further than this are not read. */
const MAX_BASES = 5;

/** One name that instances of a class have. */
export interface Field {
  readonly path: string;
  readonly type: string;
  /** Whether the constructor takes it. */
  readonly isField: boolean;
}

/** Everything that instances of a class have, those of its bases included; undefined when it can't be known. */
export function fieldsOf(
  map: ModuleMap,
  { path, name }: { readonly path: string; readonly name: string },
  hops = 0,
): ReadonlyMap<string, Field> | undefined {
  const file = map.files.get(path);
  const found = file && indexOf(file).classes.get(name);
  if (file === undefined || found === undefined || found.isDynamic || hops > MAX_BASES)
    return undefined;
  const fields = new Map<string, Field>();
  for (const base of found.bases) {
    const meaning = meaningOf(map, file, base);
    const inherited = meaning?.kind === 'class' ? fieldsOf(map, meaning, hops + 1) : undefined;
    if (inherited === undefined) return undefined;
    for (const [key, field] of inherited) fields.set(key, field);
  }
  for (const member of found.members) fields.set(member, { path, type: '', isField: false });
  for (const each of found.fields)
    fields.set(each.name, { path, type: each.type, isField: !/\bClassVar\b/.test(each.type) });
  return fields;
}
