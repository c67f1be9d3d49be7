import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import { filledPath, type Place } from './settings-facts.ts';
import { type Edge, isSettingsClass, linksOf, type Origin } from './settings-links.ts';

/** One thing that a value may be: the part of an origin under a path of keys. */
export interface Reached {
  readonly origin: Origin;
  readonly path: readonly string[];
  readonly wrapped: boolean;
}

/** Settings as they move through the whole repository. */
export interface SettingsFlow {
  /** What a place may be; empty when it is not known to be settings. */
  readonly at: (file: ParsedFile, place: Place) => readonly Reached[];
  /** Whether a place may be something else as well. */
  readonly isUnsure: (file: ParsedFile, place: Place) => boolean;
  /** Places whose keys are read by what can't be followed. */
  readonly escaped: readonly { readonly file: ParsedFile; readonly at: Place }[];
  readonly origins: readonly Origin[];
}

/** A node may be this many things at most; what is more is not followed. */
const MAX_REACHED = 16;
const MAX_PATH = 8;

const NOTHING: readonly Reached[] = [];
const NO_FLOW: SettingsFlow = { at: () => NOTHING, isUnsure: () => true, escaped: [], origins: [] };

/** Follows settings from where they are loaded to where their keys are read. Linear in what the files say. */
export function followSettings(map: ModuleMap, files: readonly ParsedFile[]): SettingsFlow {
  // Most of what moves through a repository is no settings; without any there is nothing to follow.
  const holdsSettings = files.some(
    ({ settings }) => settings.flow.sources.length > 0 || settings.classes.some(isSettingsClass),
  );
  if (!holdsSettings) return NO_FLOW;
  const links = linksOf(map, files);
  const edges = new Map<string, Edge[]>();
  const inflows = new Map<string, string[]>();
  const unsure = new Set<string>();
  for (const link of links.values()) {
    for (const edge of link.edges) {
      push(edges, edge.source, edge);
      push(inflows, edge.to, edge.source);
    }
    for (const node of link.unsure) unsure.add(node);
  }
  // An annotation says what a parameter is, whoever calls.
  for (const { certain } of links.values())
    for (const node of certain) {
      unsure.delete(node);
      inflows.delete(node);
    }
  const starts = [...links.values()].flatMap((link) => link.starts);
  const reached = spread(starts, edges, unsure);
  doubt(reached, inflows, unsure);
  const known = new Map<Place, readonly Reached[]>();
  const nodeOf = (file: ParsedFile, { node }: Place): string | undefined =>
    links.get(file)?.nodeOf(node);
  return {
    at(file, place) {
      const node = nodeOf(file, place);
      const reaching = node === undefined ? undefined : reached.get(node);
      if (reaching === undefined) return NOTHING;
      if (place.path.length === 0 && place.given === undefined) return reaching;
      const found = known.get(place) ?? reaching.map((each) => extend(each, place));
      known.set(place, found);
      return found;
    },
    isUnsure(file, place) {
      const node = nodeOf(file, place);
      return node === undefined || unsure.has(node);
    },
    escaped: [...links].flatMap(([file, { escaped }]) => escaped.map((at) => ({ file, at }))),
    origins: [...new Set(starts.map(([, origin]) => origin))],
  };
}

function spread(
  starts: readonly (readonly [string, Origin])[],
  edges: ReadonlyMap<string, readonly Edge[]>,
  unsure: Set<string>,
): ReadonlyMap<string, readonly Reached[]> {
  const reached = new Map<string, Reached[]>();
  const work = starts.map(([node, origin]): { node: string; value: Reached } => ({
    node,
    value: { origin, path: [], wrapped: false },
  }));
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { node, value } = next;
    const known = reached.get(node) ?? [];
    if (known.some((each) => isSame(each, value))) continue;
    if (known.length >= MAX_REACHED || value.path.length > MAX_PATH) {
      unsure.add(node);
      continue;
    }
    reached.set(node, [...known, value]);
    for (const { from, to } of edges.get(node) ?? [])
      work.push({ node: to, value: extend(value, from) });
  }
  return reached;
}

/** A node that something unfollowed flows into may be more than what reached it, and so may all after it. */
function doubt(
  reached: ReadonlyMap<string, readonly Reached[]>,
  inflows: ReadonlyMap<string, readonly string[]>,
  unsure: Set<string>,
): void {
  const outflows = new Map<string, string[]>();
  const work: string[] = [];
  for (const node of reached.keys()) {
    for (const from of inflows.get(node) ?? []) push(outflows, from, node);
    const isDoubtful = (inflows.get(node) ?? []).some((from) => !reached.has(from));
    if (unsure.has(node) || isDoubtful) work.push(node);
  }
  const seen = new Set<string>();
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    unsure.add(node);
    work.push(...(outflows.get(node) ?? []));
  }
}

function extend({ origin, path, wrapped }: Reached, place: Place): Reached {
  const filled = filledPath(path, place.given);
  return { origin, path: [...filled, ...place.path], wrapped: wrapped || place.wrapped };
}

function isSame(one: Reached, other: Reached): boolean {
  return (
    one.origin === other.origin &&
    one.wrapped === other.wrapped &&
    one.path.length === other.path.length &&
    one.path.every((name, index) => name === other.path[index])
  );
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
