import type { Experiment } from '../domain/experiment.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';
import type { RegistryEntry, RegistryFact } from './trace-facts.ts';

/** Names that stand for whatever is chosen. */
const ROLE =
  /^(ours|own|proposed|default|base|baseline|standard|none|main|full|auto|best|vanilla|plain|original|reference|policy|model|agent|method|target|student|teacher|train|test|eval|valid|val)$/;
const LEAST_LENGTH = 3;

/** Names that are mapped to what another name of the same place stands for. */
export function checkRegistries(map: ModuleMap, experiments: readonly Experiment[]): Sighting[] {
  const files = [...map.files.values()].filter(
    ({ language, path }) => language === 'python' && !isTest(path),
  );
  const values = new Set(experiments.flatMap(({ axes }) => axes.flatMap((axis) => axis.values)));
  const distinguished = distinguishedIn(files);
  const isLost = lostIn(files);
  const defined = new Set(
    files.flatMap(({ code }) => code.traces.definitions.map(({ name }) => plain(name))),
  );
  const hasOwn = (key: string): boolean => defined.has(plain(key));
  return files.flatMap((file) =>
    file.code.traces.registries.flatMap((registry) => {
      const found = [
        ...crossed(file, registry, hasOwn),
        ...doubled(file, registry, (key) => values.has(key) && !distinguished(key, registry)),
      ];
      return found.length > 0 ? found : forgotten(file, registry, isLost(file));
    }),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `{"adam": SGD, "sgd": SGD}`: the one's name is the other's key, and not its own. */
function crossed(
  file: ParsedFile,
  registry: RegistryFact,
  hasOwn: (key: string) => boolean,
): Sighting[] {
  const { entries } = registry;
  const wrong = entries.filter((entry) => {
    const other = namedBy(entry, entries);
    return other !== undefined && !isOwn(entry, entries, hasOwn);
  });
  // A table from each name to its opposite or successor is meant.
  if (wrong.length === 0 || (wrong.length === entries.length && entries.length > 2)) return [];
  const areSwapped = wrong.some((one) =>
    wrong.some((other) => other !== one && areExchanged(one, other)),
  );
  // Where most entries have nothing to do with their keys, names mean nothing here.
  if (
    !areSwapped &&
    !entries.some((entry) => isOwn(entry, entries)) &&
    wrong.length < entries.length
  )
    return [];
  return [sighting(file, registry, wrong, namedBy(wrong[0] ?? entries[0], entries)?.key ?? '')];
}

/** The entry whose key an entry's target is named after; only whole names count. */
function namedBy(
  entry: RegistryEntry | undefined,
  entries: readonly RegistryEntry[],
): RegistryEntry | undefined {
  if (entry === undefined) return undefined;
  const isRole = ROLE.test(plain(entry.key));
  return entries.find(
    (other) =>
      other !== entry &&
      plain(other.key).length >= LEAST_LENGTH &&
      ((!isRole && isNamedAfter(entry, other.key)) || areExchanged(entry, other)),
  );
}

/** `{"gated": PlainSum, "plain": GatedSum}` */
function areExchanged(entry: RegistryEntry, other: RegistryEntry): boolean {
  const [key, target] = [plain(entry.key), plain(entry.target)];
  const [otherKey, otherTarget] = [plain(other.key), plain(other.target)];
  return (
    key.length >= LEAST_LENGTH &&
    target.startsWith(otherKey) &&
    otherTarget.startsWith(key) &&
    !target.startsWith(key) &&
    !otherTarget.startsWith(otherKey)
  );
}

function isNamedAfter({ target }: RegistryEntry, key: string): boolean {
  const name = plain(target);
  const wanted = plain(key);
  return (
    name === wanted ||
    new RegExp(
      `^(build|make|create|get|run|train|new)?${wanted}(loss|optimizer|agent|model|policy|method|net|network|trainer|baseline|dataset|env|fn)?$`,
    ).test(name)
  );
}

/** Whether anything in the expression or a shared part of the names tells of the key. */
function isOwn(
  entry: RegistryEntry,
  entries: readonly RegistryEntry[],
  hasOwn: (key: string) => boolean = () => false,
): boolean {
  const key = plain(entry.key);
  const written = plain(entry.written);
  if (written.includes(key) || key.includes(plain(entry.target))) return true;
  const words = entry.key.toLowerCase().split(/[^a-z0-9]+/);
  if (words.length > 1 && words.some((word) => word.length > 2 && written.includes(word)))
    return true;
  // The same class with other arguments is another method, unless that has a class of its own.
  if (hasOwn(entry.key)) return false;
  const hasArguments = /\([^)]/.test(entry.written);
  const others = entries.filter((other) => other !== entry && other.target === entry.target);
  return (
    hasArguments && others.every((other) => other.written !== entry.written) && others.length > 0
  );
}

/** Two methods of the matrix that are one and the same. */
function doubled(
  file: ParsedFile,
  registry: RegistryFact,
  isOffered: (key: string) => boolean,
): Sighting[] {
  const { entries } = registry;
  const distinct = new Map<string, RegistryEntry>();
  for (const entry of entries.filter(({ key }) => isOffered(key))) {
    const first = distinct.get(entry.written);
    if (
      first !== undefined &&
      plain(first.key) !== plain(entry.key) &&
      !crossed(file, registry, () => false).length
    )
      return [sighting(file, registry, [entry], first.key)];
    distinct.set(entry.written, entry);
  }
  return [];
}

/** `{"closed": descent, "descent": descent}`, where `closed_form` is written and nothing else mentions it. */
function forgotten(file: ParsedFile, registry: RegistryFact, lost: readonly string[]): Sighting[] {
  const { entries } = registry;
  return entries.flatMap((entry) => {
    const key = plain(entry.key);
    const twin = entries.find(
      (other) => other !== entry && other.target === entry.target && isOwn(other, entries),
    );
    if (twin === undefined || isOwn(entry, entries) || key.length < LEAST_LENGTH) return [];
    const isWritten = lost.some((name) => plain(name).startsWith(key) || plain(name).endsWith(key));
    return isWritten ? [sighting(file, registry, [entry], twin.key)] : [];
  });
}

/** The functions and classes that a file defines or imports and no file mentions otherwise. */
function lostIn(files: readonly ParsedFile[]): (file: ParsedFile) => readonly string[] {
  const mentioned = new Set(
    files.flatMap(({ code }) => code.traces.mentions.flatMap(({ names }) => names)),
  );
  return ({ code, imports }) =>
    [
      ...code.traces.definitions.map(({ name }) => name),
      ...imports.flatMap(({ names }) => (names ?? []).map((one) => one.alias ?? one.name)),
    ].filter((name) => !mentioned.has(name));
}

/** Whether code tells a name apart anywhere else: in a comparison, or in another table. */
function distinguishedIn(
  files: readonly ParsedFile[],
): (key: string, registry: RegistryFact) => boolean {
  const selectors = files.flatMap(({ settings }) => settings.selectors);
  return (key, { line, owner }) =>
    selectors.some(
      (one) =>
        one.names.includes(key) &&
        !one.owner.startsWith('-') &&
        one.line !== line &&
        one.owner !== owner,
    );
}

function sighting(
  file: ParsedFile,
  { owner }: RegistryFact,
  wrong: readonly RegistryEntry[],
  other: string,
): Sighting {
  const [first] = wrong;
  const keys = wrong.map(({ key }) => `\`${key}\``).join(' and ');
  return {
    ...{ kind: 'crossed-name', path: file.path, line: first?.line ?? 0 },
    symbol: `${owner}: ${first?.key ?? ''}`,
    message: (places) =>
      `${file.path}: ${owner === '' ? 'a table' : `\`${owner}\``} ${places} gives \`${first?.written ?? ''}\` for ${keys}, which is what \`${other}\` stands for.`,
    remedy: `Map ${keys} to code of ${wrong.length > 1 ? 'their' : 'its'} own, or take ${wrong.length > 1 ? 'them' : 'it'} away.`,
  };
}
