import { indexOf, type Meaning, meaningOf } from './called-names.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Place, SettingsSource } from './settings-facts.ts';

/** Where followed values come from: a file of settings that is loaded, or a class whose instance they are. */
export type Origin =
  | { readonly kind: 'load'; readonly file: ParsedFile; readonly source: SettingsSource }
  | { readonly kind: 'class'; readonly path: string; readonly name: string };

/** That a value moves from one node to another. */
export interface Edge {
  readonly source: string;
  readonly from: Place;
  readonly to: string;
}

const SETTINGS_CLASS = /conf(ig)?s?$|config|settings|params|options|args|hparams|hyper|cfg/i;

/** What one file adds to the flow of all, its names made those of the whole repository. */
export interface Links {
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

/** What each file adds to the flow of all. */
export function linksOf(
  map: ModuleMap,
  files: readonly ParsedFile[],
): ReadonlyMap<ParsedFile, Links> {
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
    else edges.push({ source, from: isNew(to) ? { ...from, wrapped: true } : from, to });
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
  const found = indexOf(target).functions.get(symbol);
  if (found === undefined && meaning.kind === 'class')
    return slot === '0' && isMapping(target, meaning.name)
      ? `${target.path}#new:${meaning.name}`
      : undefined;
  const parameters = found ?? [];
  const isBound = meaning.kind === 'class' || dotted.startsWith('self:');
  // A method of the class is given the class, however it is called.
  const isGiven = isBound ? /^(self|cls)$/ : /^cls$/;
  const own = isGiven.test(parameters[0] ?? '') ? parameters.slice(1) : parameters;
  const name = slot.startsWith('=') ? slot.slice(1) : own[Number(slot)];
  return name !== undefined && own.includes(name)
    ? `${target.path}#v:${symbol}:${name}`
    : undefined;
}

/** Whether a class is a dict with something more, such as its keys as attributes. */
function isMapping(file: ParsedFile, name: string): boolean {
  const bases = indexOf(file).classes.get(name)?.bases ?? [];
  return bases.length === 1 && /^(collections\.)?(dict|OrderedDict|UserDict)$/.test(bases[0] ?? '');
}

/** `config.py#new:Config` */
function isNew(node: string): boolean {
  return /#new:\w+$/.test(node);
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

/** Whether instances of a class are taken for settings. */
export function isSettingsClass({
  isDataclass,
  name,
}: {
  readonly isDataclass: boolean;
  readonly name: string;
}): boolean {
  return isDataclass && SETTINGS_CLASS.test(name);
}
