import type { ParsedFile } from './parsed-file.ts';
import { type DefinedKey, isHole } from './settings-facts.ts';
import type { Reached } from './settings-flow.ts';
import type { Origin } from './settings-links.ts';
import type { SettingsView } from './settings-view.ts';
import type { Sighting } from './sightings.ts';

/** Keys that tools understand, wherever they stand. */
const OF_TOOLS =
  /^(defaults|hydra|_target_|_partial_|_recursive_|_convert_|<<|version|name|description|comment|notes?|x-.*|_.*)$/;

/** Where a settings file defines a key that nothing reads. */
export interface UnusedKey extends Sighting {
  readonly key: DefinedKey;
  /** The code that loads the file. */
  readonly loaders: readonly string[];
}

/** Keys of settings files that no code reads: by name anywhere, as part of a section that is read whole, or as text. */
export function findUnused(view: SettingsView, files: readonly ParsedFile[]): UnusedKey[] {
  const { flow, holders, keysOf } = view;
  const known = flow.origins.filter((origin) => keysOf(origin) !== undefined);
  if (known.length === 0) return [];
  // What else is loaded may be the same file by another way.
  const isElsewhere = flow.origins.some(
    (each) => each.kind === 'load' && keysOf(each) === undefined && each.source.hinted,
  );
  // Files that are composed by folder define keys whose whole path they do not tell.
  const areComposed = holders.some(({ settings }) =>
    settings.defines?.some(({ path: [first] }) => first === 'defaults'),
  );
  if (isElsewhere || areComposed) return [];
  const mentioned = mentionedNames(view, files);
  const uses = usesByFile(view);
  return holders.flatMap((file) => {
    const { read, whole, isPlain } = uses.get(file) ?? NO_USES;
    const loaders = known.flatMap((each) =>
      each.kind === 'load' && view.filesOf(each).includes(file) ? [each.file.path] : [],
    );
    if (loaders.length === 0) return [];
    const isRead = ({ path }: DefinedKey): boolean =>
      read.has(keyOf(path)) ||
      (isPlain ? mentioned.keyed : mentioned.any).has(path.at(-1) ?? '') ||
      OF_TOOLS.test(path.at(-1) ?? '') ||
      path.some((_, index) => whole.has(keyOf(path.slice(0, index)))) ||
      whole.has(keyOf(path));
    return unusedIn(file, loaders, isRead);
  });
}

interface Uses {
  /** Keys that are read by their path. */
  readonly read: Set<string>;
  /** Sections of which anything may be read. */
  readonly whole: Set<string>;
  /** The file is only ever a plain dict, whose keys are read by strings alone. */
  isPlain: boolean;
}

const NO_USES: Uses = { read: new Set(), whole: new Set(), isPlain: false };

/** What the code does with the keys of each settings file. */
function usesByFile(view: SettingsView): ReadonlyMap<ParsedFile, Uses> {
  const { flow, code, filesOf, keysOf } = view;
  const uses = new Map<ParsedFile, Uses>();
  const usesOf = (origin: Origin): Uses[] =>
    filesOf(origin).map((file) => {
      const known = uses.get(file) ?? { read: new Set(), whole: new Set(), isPlain: true };
      uses.set(file, known);
      return known;
    });
  for (const origin of flow.origins) {
    const isPlain = origin.kind === 'load' && !origin.source.dotted && keysOf(origin) !== undefined;
    for (const each of usesOf(origin)) if (!isPlain) each.isPlain = false;
  }
  const addWhole = ({ origin, path, wrapped }: Reached): void => {
    const hole = path.findIndex(isHole);
    for (const each of usesOf(origin)) {
      each.whole.add(keyOf(hole < 0 ? path : path.slice(0, hole)));
      if (wrapped) each.isPlain = false;
    }
  };
  for (const file of code) {
    const { reads, consumed, opened } = file.settings.flow;
    for (const { at } of reads)
      for (const reached of flow.at(file, at)) {
        if (reached.path.some(isHole)) addWhole(reached);
        else
          for (const each of usesOf(reached.origin)) {
            addPrefixes(each.read, reached.path);
            if (reached.wrapped) each.isPlain = false;
          }
      }
    for (const at of [...consumed, ...opened]) flow.at(file, at).forEach(addWhole);
  }
  for (const { file, at } of flow.escaped) flow.at(file, at).forEach(addWhole);
  // What gives a section by its name gives any, where no call is known.
  for (const file of code)
    for (const { from } of file.settings.flow.flows.filter((one) => one.from.path.some(isHole)))
      for (const reached of flow.at(file, from))
        if (usesOf(reached.origin).every(({ read }) => read.size === 0)) addWhole(reached);
  return uses;
}

function unusedIn(
  file: ParsedFile,
  loaders: readonly string[],
  isRead: (key: DefinedKey) => boolean,
): UnusedKey[] {
  const keys = file.settings.defines ?? [];
  const used = new Set<string>();
  for (const key of keys) if (isRead(key)) addPrefixes(used, key.path);
  const unread = keys.filter(({ path }) => !used.has(keyOf(path)));
  const names = new Set(unread.map(({ path }) => keyOf(path)));
  // A file of which nothing is read is not what the settings are loaded from.
  if (unread.length === keys.length) return [];
  return unread
    .filter(({ path }) => !names.has(keyOf(path.slice(0, -1))))
    .map(({ path, line, ...rest }) => ({
      ...{ kind: 'unused-key', path: file.path, symbol: path.join('.'), line, loaders },
      key: { path, line, ...rest },
      message: (places) =>
        `${file.path} defines the setting \`${path.join('.')}\` ${places}, which no code reads, so changing it changes nothing.`,
      remedy: `Read \`${path.join('.')}\` where its value is used, or remove it from ${file.path}.`,
    }));
}

/** Names that stand in code or data where they were not followed, in dotted names too. */
interface Mentioned {
  readonly any: ReadonlySet<string>;
  /** As strings, by which alone a plain dict is read. */
  readonly keyed: ReadonlySet<string>;
}

function mentionedNames({ flow, code }: SettingsView, files: readonly ParsedFile[]): Mentioned {
  const any = new Set<string>();
  const keyed = new Set<string>();
  const followed = new Set(code);
  for (const file of files) {
    const loose = looseNamesOf(file);
    for (const name of loose.any) any.add(name);
    for (const name of loose.keyed) keyed.add(name);
    for (const { at } of file.settings.flow.reads) {
      if (followed.has(file) && flow.at(file, at).length > 0) continue;
      for (const name of at.path) any.add(name);
      for (const name of at.keyed ? at.path : at.path.slice(0, -1)) keyed.add(name);
    }
  }
  return { any, keyed };
}

const looseNames = new WeakMap<ParsedFile, Mentioned>();

/** The names that a file mentions without reading them off anything that is followed. */
function looseNamesOf(file: ParsedFile): Mentioned {
  const known = looseNames.get(file);
  if (known) return known;
  const { loose, strings, looseStrings, templates, classes, defines } = file.settings;
  const partsOf = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => text.split(/[^\w-]+/));
  const texts = [...templates, ...(defines === null && file.language !== 'python' ? strings : [])];
  // One key may stand for another's value: `${train.lr}`.
  const referred = strings.flatMap((text) => [...text.matchAll(/\$\{[^}]*?([\w-]+)\}/g)]);
  const keyed = [...partsOf([...looseStrings, ...texts]), ...referred.map(([, name = '']) => name)];
  const fields = classes.flatMap((one) => one.fields.map(({ name }) => name));
  const names = {
    any: new Set([
      ...keyed,
      ...partsOf([...loose, ...(defines === null ? strings : [])]),
      ...fields,
    ]),
    keyed: new Set(keyed),
  };
  looseNames.set(file, names);
  return names;
}

function addPrefixes(set: Set<string>, path: readonly string[]): void {
  for (let end = 1; end <= path.length; end += 1) set.add(keyOf(path.slice(0, end)));
}

function keyOf(path: readonly string[]): string {
  return path.join('\0');
}
