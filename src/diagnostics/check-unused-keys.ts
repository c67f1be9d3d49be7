import type { ParsedFile } from './parsed-file.ts';
import type { DefinedKey } from './settings-facts.ts';
import type { SettingsView } from './settings-view.ts';
import type { Sighting } from './sightings.ts';

/** Keys that tools understand, wherever they stand. */
const OF_TOOLS =
  /^(defaults|hydra|_target_|_partial_|_recursive_|_convert_|<<|version|name|description|comment|notes?|x-.*|_.*)$/;

/** Keys of settings files that no code reads: by name anywhere, as part of a section that is read whole, or as text. */
export function findUnused(view: SettingsView, files: readonly ParsedFile[]): Sighting[] {
  const { flow, code, holders, keysOf } = view;
  const known = flow.origins.filter((origin) => keysOf(origin) !== undefined);
  if (known.length === 0) return [];
  const formats = new Set(
    known.flatMap((each) => (each.kind === 'load' ? [each.source.format] : [])),
  );
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
  const read = new Set<string>();
  const whole = new Set<string>();
  for (const file of code) {
    const { reads, consumed, opened } = file.settings.flow;
    for (const { at } of reads) for (const { path } of flow.at(file, at)) addPrefixes(read, path);
    for (const at of [...consumed, ...opened])
      for (const { path } of flow.at(file, at)) whole.add(keyOf(path));
  }
  for (const { file, at } of flow.escaped)
    for (const { path } of flow.at(file, at)) whole.add(keyOf(path));
  const isRead = ({ path }: DefinedKey): boolean =>
    read.has(keyOf(path)) ||
    mentioned.has(path.at(-1) ?? '') ||
    OF_TOOLS.test(path.at(-1) ?? '') ||
    path.some((_, index) => whole.has(keyOf(path.slice(0, index)))) ||
    whole.has(keyOf(path));
  return holders
    .filter(({ language }) =>
      [...formats].some((format) => format === 'any' || format === language),
    )
    .flatMap((file) => unusedIn(file, isRead));
}

function unusedIn(file: ParsedFile, isRead: (key: DefinedKey) => boolean): Sighting[] {
  const keys = file.settings.defines ?? [];
  const used = new Set<string>();
  for (const key of keys) if (isRead(key)) addPrefixes(used, key.path);
  const unread = keys.filter(({ path }) => !used.has(keyOf(path)));
  const names = new Set(unread.map(({ path }) => keyOf(path)));
  // A file of which nothing is read is not what the settings are loaded from.
  if (unread.length === keys.length) return [];
  return unread
    .filter(({ path }) => !names.has(keyOf(path.slice(0, -1))))
    .map(({ path, line }) => ({
      ...{ kind: 'unused-key', path: file.path, symbol: path.join('.'), line },
      message: (places) =>
        `${file.path} defines the setting \`${path.join('.')}\` ${places}, which no code reads, so changing it changes nothing.`,
      remedy: `Read \`${path.join('.')}\` where its value is used, or remove it from ${file.path}.`,
    }));
}

/** Names that stand in code or data where they were not followed, in dotted names too. */
function mentionedNames(
  { flow, code }: SettingsView,
  files: readonly ParsedFile[],
): ReadonlySet<string> {
  const names = new Set<string>();
  const followed = new Set(code);
  for (const file of files) {
    for (const name of looseNamesOf(file)) names.add(name);
    for (const { at } of file.settings.flow.reads) {
      if (followed.has(file) && flow.at(file, at).length > 0) continue;
      for (const name of at.path) names.add(name);
    }
  }
  return names;
}

const looseNames = new WeakMap<ParsedFile, ReadonlySet<string>>();

/** The names that a file mentions without reading them off anything that is followed. */
function looseNamesOf(file: ParsedFile): ReadonlySet<string> {
  const known = looseNames.get(file);
  if (known) return known;
  const { loose, strings, templates, classes, defines } = file.settings;
  const texts = [...loose, ...templates, ...(defines === null ? strings : [])];
  // One key may stand for another's value: `${train.lr}`.
  const referred = strings.flatMap((text) => [...text.matchAll(/\$\{[^}]*?([\w-]+)\}/g)]);
  const names = new Set([
    ...texts.flatMap((text) => text.split(/[^\w-]+/)),
    ...classes.flatMap(({ fields }) => fields.map(({ name }) => name)),
    ...referred.map(([, name = '']) => name),
  ]);
  looseNames.set(file, names);
  return names;
}

function addPrefixes(set: Set<string>, path: readonly string[]): void {
  for (let end = 1; end <= path.length; end += 1) set.add(keyOf(path.slice(0, end)));
}

function keyOf(path: readonly string[]): string {
  return path.join('\0');
}
