import type { Callee } from './code-facts.ts';

/** What a parameter of a function is handed on as: an argument of a call, by its place or its name. */
export interface HandedOn {
  readonly callee: Callee;
  readonly slot: number | string;
}

/** A parameter that its function does nothing with, but store it on `self` or hand it on as it is. */
export interface IdleParameter {
  /** Qualified: `Trainer.fit`. */
  readonly symbol: string;
  readonly name: string;
  readonly line: number;
  /** The attributes of `self` that it is stored as. */
  readonly stored: readonly string[];
  readonly handedOn: readonly HandedOn[];
}

/** A literal that gets a name: `lr = 3e-4`, `lr=3e-4` in a call or as a default, `cfg["lr"] = 3e-4`, `{"lr": 3e-4}`; or a number that a call is given by its place, whose name is empty. */
export interface LiteralFact {
  readonly name: string;
  /** As Python would print it, numbers as JavaScript does; strings without quotes. */
  readonly value: string;
  readonly how: 'variable' | 'default' | 'argument' | 'setting' | 'entry' | 'place';
  /** What is called, for arguments; what holds the key, for settings. */
  readonly of: string;
  /** What holds the key is called like settings, or is what the command line was parsed to. */
  readonly ofSettings: boolean;
  /** In the same block the name was given a value that is read from settings, and nothing read it since. */
  readonly overrides: boolean;
  readonly isConditional: boolean;
  readonly line: number;
  readonly symbol: string;
}

/** A number that bounds what may be a setting, or is laid over it, in every run. */
export interface ForcedValue {
  /** The key or name that it is about. */
  readonly name: string;
  /** As JavaScript prints it. */
  readonly value: string;
  readonly how: 'at-most' | 'at-least' | 'instead';
  readonly line: number;
  readonly symbol: string;
}

/** Keys that are read below what is called like settings, the outermost first. */
export interface SettingsChain {
  readonly keys: readonly string[];
  readonly line: number;
  readonly symbol: string;
}

/** A key that a function looks up, made of one of its parameters and what stands before or after it: `row[f"{name}_mean"]`. */
export interface AffixedKey {
  /** Of the function, qualified. */
  readonly symbol: string;
  readonly parameter: string;
  /** Among all parameters, `self` included. */
  readonly index: number;
  readonly before: string;
  readonly after: string;
  readonly line: number;
}

/** A string that a call is given, by its place or its name; holes stand as NUL. */
export interface NamedArgument {
  /** The last name of what is called. */
  readonly callee: string;
  readonly isMember: boolean;
  readonly slot: number | string;
  readonly template: string;
  readonly line: number;
  readonly symbol: string;
}

/** A key with a statistic's name in it that is looked up; holes stand as NUL. */
export interface SoughtKey {
  readonly template: string;
  readonly line: number;
  readonly symbol: string;
}

/** What code maps names to, in a dict or in branches that compare a name. */
export interface RegistryFact {
  /** `OPTIMIZERS`, or the name that is compared. */
  readonly owner: string;
  readonly line: number;
  readonly symbol: string;
  readonly entries: readonly RegistryEntry[];
}

export interface RegistryEntry {
  readonly key: string;
  /** The last name of what it stands for: `SGD` of `optim.SGD`, called or not. */
  readonly target: string;
  /** The whole expression without blanks. */
  readonly written: string;
  readonly line: number;
}

/** What a top-level definition mentions; `symbol` is empty for what stands outside any. */
export interface Mention {
  readonly symbol: string;
  readonly names: readonly string[];
}

/** A function or class at module level. */
export interface DefinitionFact {
  readonly name: string;
  readonly line: number;
  readonly isClass: boolean;
  /** Something is done with it where it stands, as by `@register`. */
  readonly isDecorated: boolean;
}

/** A part of the data, as code loads it: `train_set = MNIST(root, train=True)`. */
export interface LoadedPart {
  /** The variable that holds it. */
  readonly name: string;
  readonly part: 'train' | 'held-out';
  /** The call without blanks, without the name of the variable. */
  readonly written: string;
  readonly line: number;
  readonly symbol: string;
}

/** Something that is measured on data: `evaluate(model, train_loader)`, `model.score(X, y)`. */
export interface Measured {
  readonly callee: string;
  /** The variables that it is given. */
  readonly on: readonly string[];
  /** Those that a model was fitted to before, in the same function. */
  readonly fitted: boolean;
  readonly line: number;
  readonly symbol: string;
}

/** Something that is called held-out, or measured on held-out data, and is of the training part. */
export interface Leak {
  readonly name: string;
  readonly line: number;
  readonly symbol: string;
}

/** A call in a branch that is taken where the real thing is not there. */
export interface LastResort {
  readonly callee: string;
  /** Part of a sentence: `when loading fails`. */
  readonly when: string;
  readonly line: number;
  readonly symbol: string;
}

/** What a Python file shows of how values, names and data move, for checks that look at all files. */
export interface TraceFacts {
  /** Attributes that are read off anything but `self` and libraries. */
  readonly attributesRead: readonly string[];
  /** Attributes that are read off `self` or `cls`. */
  readonly ownAttributesRead: readonly string[];
  /** Names that are handed on rather than called or defined. */
  readonly handedOn: readonly string[];
  /** Attributes of anything may be read by computed names or all at once. */
  readonly readsAll: boolean;
  /** Functions and classes of any file may be found by names that no text holds. */
  readonly looksUp: boolean;
  /** Where functions are found by computed names: a name that stands for a module, or empty for this module; and the shape of the names, with a NUL for what is put in. */
  readonly lookups: readonly { readonly of: string; readonly shape: string }[];
  readonly idle: readonly IdleParameter[];
  readonly literals: readonly LiteralFact[];
  readonly forced: readonly ForcedValue[];
  readonly settingsChains: readonly SettingsChain[];
  /** Names of arguments that are given anything but the setting or attribute of that name. */
  readonly givenNames: readonly string[];
  /** Every number that is written, by its value. */
  readonly numbers: readonly string[];
  /** Uncommon ones that functions compute with. */
  readonly formulaNumbers: readonly Pick<ForcedValue, 'value' | 'line' | 'symbol'>[];
  /** Names of module constants that functions compute with, and that nothing takes for a default. */
  readonly constantsUsed: readonly string[];
  /** Names that are taken from mappings and objects by their strings. */
  readonly taken: readonly string[];
  /** The last names of what is called with `**`; empty for what may be any. */
  readonly spreadsInto: readonly string[];
  /** Names under which values may be shown or kept. */
  readonly labels: readonly string[];
  /** Strings that objects are made with: names of what they hold, or of files. */
  readonly callLabels: readonly string[];
  /** Names of arguments that are given something computed. */
  readonly argumentLabels: readonly string[];
  /** Some names are put together from parts alone. */
  readonly labelsAreComputed: boolean;
  readonly affixed: readonly AffixedKey[];
  readonly namedArguments: readonly NamedArgument[];
  readonly sought: readonly SoughtKey[];
  /** Strings with a statistic's name in them that are no keys which are looked up; holes stand as NUL. */
  readonly made: readonly string[];
  readonly registries: readonly RegistryFact[];
  readonly definitions: readonly DefinitionFact[];
  readonly mentions: readonly Mention[];
  readonly loaded: readonly LoadedPart[];
  readonly measured: readonly Measured[];
  readonly leaks: readonly Leak[];
  /** Splits the data by itself. */
  readonly splits: boolean;
  /** Functions that make data up and take none in. */
  readonly makers: readonly string[];
  readonly lastResorts: readonly LastResort[];
}

/** Those of a file that holds no code. */
export const NO_TRACES: TraceFacts = {
  attributesRead: [],
  ownAttributesRead: [],
  handedOn: [],
  readsAll: false,
  looksUp: false,
  lookups: [],
  idle: [],
  literals: [],
  forced: [],
  settingsChains: [],
  givenNames: [],
  numbers: [],
  formulaNumbers: [],
  constantsUsed: [],
  taken: [],
  spreadsInto: [],
  labels: [],
  callLabels: [],
  argumentLabels: [],
  labelsAreComputed: false,
  affixed: [],
  namedArguments: [],
  sought: [],
  made: [],
  registries: [],
  definitions: [],
  mentions: [],
  loaded: [],
  measured: [],
  leaks: [],
  splits: false,
  makers: [],
  lastResorts: [],
};
