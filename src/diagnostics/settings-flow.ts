import { indexOf, type Meaning, meaningOf } from './called-names.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Place, SettingsSource } from './settings-facts.ts';

/** Where followed values come from: a file of settings that is loaded, or a class whose instance they are. */
export type Origin =
  | { readonly kind: 'load'; readonly file: ParsedFile; readonly source: SettingsSource }
  | { readonly kind: 'class'; readonly path: string; readonly name: string };

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
const SETTINGS_CLASS = /conf(ig)?s?$|config|settings|params|options|args|hparams|hyper|cfg/i;

const NOTHING: readonly Reached[] = [];
const NO_FLOW: SettingsFlow = { at: () => NOTHING, isUnsure: () => true, escaped: [], origins: [] };

interface Edge {
  readonly source: string;
  readonly from: Place;
  readonly to: string;
}

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
      if (reaching === undefined || place.path.length === 0) return reaching ?? NOTHING;
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

/** What one file adds to the flow of all, its names made those of the whole repository. */
interface Links {
  readonly nodeOf: (node: string) => string | undefined;
  readonly edges: readonly Edge[];
  readonly escaped: readonly Place[];
  readonly unsure: readonly string[];
  /** Nodes that an annotation settles. */
  readonly certain: readonly string[];
  readonly starts: readonly (readonly [string, Origin])[];
}

/** The links of the tree that was checked last. While no file changes what it offers or imports, those of an unchanged file hold. */
let last = { surroundings: '', links: new WeakMap<ParsedFile, Links>() };

function linksOf(map: ModuleMap, files: readonly ParsedFile[]): ReadonlyMap<ParsedFile, Links> {
  const surroundings = surroundingsOf(map);
  if (last.surroundings !== surroundings) last = { surroundings, links: new WeakMap() };
  const { links } = last;
  return new Map(
    files.map((file) => {
      const found = links.get(file) ?? readLinks(map, file);
      links.set(file, found);
      return [file, found];
    }),
  );
}

function readLinks(map: ModuleMap, file: ParsedFile): Links {
  const names = new Map<string, string | undefined>();
  const nodeOf = (node: string): string | undefined => {
    if (!names.has(node)) names.set(node, canonicalName(map, file, node));
    return names.get(node);
  };
  const { flow } = file.settings;
  const edges: Edge[] = [];
  const escaped: Place[] = [];
  const unsure: string[] = flow.handedOn.flatMap((name) => parametersOf(map, file, name));
  for (const { from, to: target } of flow.flows) {
    const source = nodeOf(from.node);
    const to = nodeOf(target);
    if (to === undefined) escaped.push(from);
    else if (source === undefined) unsure.push(to);
    else edges.push({ source, from, to });
  }
  unsure.push(...flow.unknown.flatMap((node) => nodeOf(node) ?? []));
  const forgotten = new Set(flow.unknown);
  const certain = flow.typed.flatMap(({ node, type }) =>
    forgotten.has(node) || classOf(map, file, type) === undefined ? [] : (nodeOf(node) ?? []),
  );
  const loaded = flow.sources.flatMap((source): [string, Origin][] => {
    const node = nodeOf(source.node);
    return node === undefined ? [] : [[node, { kind: 'load', file, source }]];
  });
  const starts = [...loaded, ...instancesIn(map, file, nodeOf)];
  return { nodeOf, edges, escaped, unsure, certain, starts };
}

/** All that decides what a name means anywhere. */
function surroundingsOf(map: ModuleMap): string {
  const outlines = [...map.files.values()].map(outlineOf);
  return [...map.modules.map(({ path }) => path), ...outlines].join('\n');
}

const outlines = new WeakMap<ParsedFile, string>();

/** What a file offers to others, and what it imports. */
function outlineOf(file: ParsedFile): string {
  const known = outlines.get(file);
  if (known !== undefined) return known;
  const { path, imports, isScript, extendsPath, settings } = file;
  const classes = settings.classes.map(({ name, isDataclass }) => [name, isDataclass]);
  const offered = [file.interface.names, settings.flow.functions, classes];
  const used = imports.map(({ module, level, names, alias, place }) => [
    module,
    level,
    names,
    alias,
    place,
  ]);
  const outline = JSON.stringify([path, isScript, extendsPath, offered, used]);
  outlines.set(file, outline);
  return outline;
}

/** One name for a node wherever it is spoken of; undefined for what is not of the repository. */
function canonicalName(map: ModuleMap, file: ParsedFile, node: string): string | undefined {
  const [kind = '', dotted = '', slot = ''] = splitNode(node);
  switch (kind) {
    case 'result': {
      const meaning = calleeOf(map, file, dotted);
      if (meaning?.kind === 'function') return `${meaning.path}#return:${meaning.name}`;
      return meaning?.kind === 'class' ? `${meaning.path}#new:${meaning.name}` : undefined;
    }
    case 'import': {
      const meaning = calleeOf(map, file, dotted);
      return meaning?.kind === 'variable' ? `${meaning.path}#v::${meaning.name}` : undefined;
    }
    case 'arg':
      return parameterOf(map, file, { dotted, slot });
    default:
      return `${file.path}#${node}`;
  }
}

/** `arg:self:Trainer.fit:0` is about the first argument of `self:Trainer.fit`. */
function splitNode(node: string): string[] {
  const kind = node.slice(0, node.indexOf(':'));
  const rest = node.slice(kind.length + 1);
  if (kind !== 'arg') return [kind, rest];
  const colon = rest.lastIndexOf(':');
  return [kind, rest.slice(0, colon), rest.slice(colon + 1)];
}

/** What callees mean, sought once for each map and file: a call is spoken of by its result and each argument. */
const callees = new WeakMap<ModuleMap, Map<ParsedFile, Map<string, Meaning | undefined>>>();

function calleeOf(map: ModuleMap, file: ParsedFile, dotted: string): Meaning | undefined {
  const files = callees.get(map) ?? new Map<ParsedFile, Map<string, Meaning | undefined>>();
  callees.set(map, files);
  const known = files.get(file) ?? new Map<string, Meaning | undefined>();
  files.set(file, known);
  if (!known.has(dotted)) known.set(dotted, soughtCallee(map, file, dotted));
  return known.get(dotted);
}

function soughtCallee(map: ModuleMap, file: ParsedFile, dotted: string): Meaning | undefined {
  if (!dotted.startsWith('self:')) return meaningOf(map, file, dotted);
  const name = dotted.slice('self:'.length);
  return indexOf(file).functions.has(name)
    ? { path: file.path, name, kind: 'function' }
    : undefined;
}

function parameterOf(
  map: ModuleMap,
  file: ParsedFile,
  { dotted, slot }: { readonly dotted: string; readonly slot: string },
): string | undefined {
  const meaning = calleeOf(map, file, dotted);
  const target = meaning === undefined ? undefined : map.files.get(meaning.path);
  if (meaning === undefined || target === undefined || meaning.kind === 'variable')
    return undefined;
  const symbol = meaning.kind === 'class' ? `${meaning.name}.__init__` : meaning.name;
  const parameters = indexOf(target).functions.get(symbol) ?? [];
  const isBound = meaning.kind === 'class' || dotted.startsWith('self:');
  const own =
    isBound && /^(self|cls)$/.test(parameters[0] ?? '') ? parameters.slice(1) : parameters;
  const name = slot.startsWith('=') ? slot.slice(1) : own[Number(slot)];
  return name !== undefined && own.includes(name)
    ? `${target.path}#v:${symbol}:${name}`
    : undefined;
}

/** The parameters of a function that is handed on: whoever calls it may pass anything. */
function parametersOf(map: ModuleMap, file: ParsedFile, dotted: string): string[] {
  const meaning = calleeOf(map, file, dotted);
  const target = meaning?.kind === 'function' ? map.files.get(meaning.path) : undefined;
  if (meaning === undefined || target === undefined) return [];
  const parameters = indexOf(target).functions.get(meaning.name) ?? [];
  return parameters.map((name) => `${target.path}#v:${meaning.name}:${name}`);
}

/** Instances of classes that hold settings: what is constructed, and what is annotated. */
function instancesIn(
  map: ModuleMap,
  file: ParsedFile,
  nodeOf: (node: string) => string | undefined,
): [string, Origin][] {
  const own = file.settings.classes.filter(isSettingsClass);
  const constructed = own.map(({ name }): [string, Origin] => [
    `${file.path}#new:${name}`,
    { kind: 'class', path: file.path, name },
  ]);
  const annotated = file.settings.flow.typed.flatMap(({ node, type }): [string, Origin][] => {
    const meaning = classOf(map, file, type);
    const at = nodeOf(node);
    return meaning && at ? [[at, { kind: 'class', path: meaning.path, name: meaning.name }]] : [];
  });
  return [...constructed, ...annotated];
}

/** The class of settings that an annotation names: `Config`, `"Config"`, `Optional[Config]`, `Config | None`. */
export function classOf(map: ModuleMap, file: ParsedFile, type: string): Meaning | undefined {
  const name =
    /^["']?(?:(?:typing\.)?Optional\[)?["']?([\w.]+)["']?\]?(?:\s*\|\s*None)?["']?$/.exec(
      type,
    )?.[1];
  const meaning = name === undefined ? undefined : calleeOf(map, file, name);
  const target = meaning?.kind === 'class' ? map.files.get(meaning.path) : undefined;
  const found = target && meaning && indexOf(target).classes.get(meaning.name);
  return found && isSettingsClass(found) ? meaning : undefined;
}

function isSettingsClass({
  isDataclass,
  name,
}: {
  readonly isDataclass: boolean;
  readonly name: string;
}): boolean {
  return isDataclass && SETTINGS_CLASS.test(name);
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
  return { origin, path: [...path, ...place.path], wrapped: wrapped || place.wrapped };
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
