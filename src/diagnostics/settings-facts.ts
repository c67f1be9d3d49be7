/** A key that a settings file defines. */
export interface DefinedKey {
  /** From the root of the file: `['train', 'lr']`. */
  readonly path: readonly string[];
  readonly line: number;
  /** `open` stands for a value whose keys can't be known, such as an empty one or a merged one. */
  readonly holds: 'keys' | 'value' | 'open';
  /** A value as text that equal values share (`0.0003`, `true`, `[1, 2]`); null where it is none or long. */
  readonly value: string | null;
}

/** A value that is followed through a file: a variable, field, parameter or result, and the keys taken from it. */
export interface Place {
  /** `v:symbol:name`, `field:Class:name`, `return:symbol`, `result:callee`, `import:name`, `arg:callee:index` or `load:line:column`. */
  readonly node: string;
  readonly path: readonly string[];
  /** Whether a key was taken as an attribute, which a plain dict has not. */
  readonly dotted: boolean;
  /** Whether the last key was taken by its string, as from a plain dict. */
  readonly keyed: boolean;
  /** Whether it was put into a form whose keys are attributes too. */
  readonly wrapped: boolean;
  /** Whether its absence is provided for. */
  readonly optional: boolean;
  /** For what a call gives: the strings that the call is given by place, null for anything else. */
  readonly given?: readonly (string | null)[];
}

/** A key that stands for whatever string a function is given, by the place of the parameter: of `return load()[section]`. */
export function holeKey(index: number): string {
  return `\0${index}`;
}

/** A path of keys with what a call gives in the place of parameters. */
export function filledPath(path: readonly string[], given: Place['given']): readonly string[] {
  if (given === undefined || !path.some(isHole)) return path;
  return path.map((key) => (isHole(key) ? (given[Number(key.slice(1))] ?? key) : key));
}

/** Whether a key stands for what is not known here. */
export function isHole(key: string): boolean {
  return key.startsWith('\0');
}

/** Where settings come into a file. */
export interface SettingsSource {
  readonly node: string;
  readonly format: 'yaml' | 'json' | 'toml' | 'any';
  /** Whether keys may be read as attributes. */
  readonly dotted: boolean;
  /** Names of files that the surrounding function mentions. */
  readonly files: readonly string[];
  /** The files that it reads unless a command names another; null where that is not decidable. */
  readonly reads: readonly string[] | null;
  /** Whether a name around it says that settings are read here. */
  readonly hinted: boolean;
}

/** A key taken from a followed value. */
export interface KeyRead {
  readonly at: Place;
  readonly line: number;
  readonly symbol: string;
}

/** A call that takes a value's keys as its arguments: `Config(**data)`. */
export interface Spread {
  readonly callee: string;
  readonly at: Place;
  readonly line: number;
  readonly symbol: string;
}

/** How values move through a Python file, as far as it is decidable. */
export interface ValueFlow {
  readonly sources: readonly SettingsSource[];
  readonly flows: readonly { readonly from: Place; readonly to: string }[];
  /** Nodes that may hold something that is not followed. */
  readonly unknown: readonly string[];
  readonly reads: readonly KeyRead[];
  /** All of whose keys may be read. */
  readonly consumed: readonly Place[];
  /** To which keys may be added. */
  readonly opened: readonly Place[];
  /** Which are taken out of what holds them. */
  readonly removed: readonly Place[];
  readonly spreads: readonly Spread[];
  readonly functions: readonly {
    readonly symbol: string;
    readonly parameters: readonly string[];
  }[];
  /** Functions and classes that are handed on rather than called. */
  readonly handedOn: readonly string[];
  /** Nodes that an annotation gives the type of a class. */
  readonly typed: readonly { readonly node: string; readonly type: string }[];
}

/** A class that may hold settings. */
export interface SettingsClass {
  readonly name: string;
  readonly line: number;
  readonly isDataclass: boolean;
  readonly bases: readonly string[];
  /** Annotated fields, in order. */
  readonly fields: readonly {
    readonly name: string;
    readonly type: string;
    readonly line: number;
    /** Its default, as literals are spelled; null where there is none, or it is computed. */
    readonly value: string | null;
  }[];
  /** Every other name that its instances have. */
  readonly members: readonly string[];
  /** Makes up attributes, or takes arguments of its own. */
  readonly isDynamic: boolean;
}

/** Strings between which code chooses: the keys of a dict, the choices of a flag, what a name is compared with. */
export interface Selector {
  /** `METHODS`, `--method`, `@register`, `method`. */
  readonly owner: string;
  readonly line: number;
  readonly symbol: string;
  readonly names: readonly string[];
}

/** What a file says of settings, names and results. */
export interface SettingsFacts {
  /** Null for files that are no settings. */
  readonly defines: readonly DefinedKey[] | null;
  /** Whole short strings: literals of Python, keys and scalars of data. */
  readonly strings: readonly string[];
  /** Strings with holes, each hole a NUL: `table1_\0.csv`. */
  readonly templates: readonly string[];
  /** Names that code defines or takes: variables, functions, attributes, arguments. */
  readonly names: readonly string[];
  /** Names that calls give their arguments: `accuracy` in `log(accuracy=x)`. */
  readonly keywords: readonly string[];
  /** Strings and attributes that were not read off a followed value. */
  readonly loose: readonly string[];
  /** The strings among them. */
  readonly looseStrings: readonly string[];
  readonly selectors: readonly Selector[];
  /** How strings are changed before they are compared. */
  readonly ignoresCase: boolean;
  readonly replacesSeparators: boolean;
  /** Finds functions by their names at run time. */
  readonly looksUpNames: boolean;
  /** Writes files. */
  readonly writes: boolean;
  readonly flow: ValueFlow;
  readonly classes: readonly SettingsClass[];
}

export const EMPTY_FLOW: ValueFlow = {
  sources: [],
  flows: [],
  unknown: [],
  reads: [],
  consumed: [],
  opened: [],
  removed: [],
  spreads: [],
  functions: [],
  handedOn: [],
  typed: [],
};

export const EMPTY_SETTINGS: SettingsFacts = {
  defines: null,
  strings: [],
  templates: [],
  names: [],
  keywords: [],
  loose: [],
  looseStrings: [],
  selectors: [],
  ignoresCase: false,
  replacesSeparators: false,
  looksUpNames: false,
  writes: false,
  flow: EMPTY_FLOW,
  classes: [],
};
