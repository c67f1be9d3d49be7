import type { ClassFact, FunctionFact, ImportOrigin, Reference } from './class-facts.ts';
import type { Operation } from './operations.ts';
import { NO_TRACES, type TraceFacts } from './trace-facts.ts';

/** What a name stands for that a module binds exactly once. */
export type ModuleBinding = { readonly name: string; readonly line: number } & (
  | { readonly kind: 'function'; readonly function: FunctionFact }
  | { readonly kind: 'class'; readonly class: ClassFact }
  | { readonly kind: 'import'; readonly origin: ImportOrigin }
  /** `of` is the class whose new object it is set to. */
  | { readonly kind: 'unknown'; readonly of?: Reference }
);

/** What an attribute is read from, or called on. */
export type Receiver =
  /** The object that a method of the named class works on. */
  | { readonly kind: 'self'; readonly owner: string }
  /** An attribute of such an object. */
  | { readonly kind: 'self-attribute'; readonly owner: string; readonly attribute: string }
  /** `super()` in a method of the named class. */
  | { readonly kind: 'super'; readonly owner: string }
  /** A variable that is bound once, to a new object. */
  | { readonly kind: 'instance'; readonly of: Reference }
  /** A parameter annotated with a class. */
  | { readonly kind: 'annotated'; readonly of: Reference };

/** What is called. */
export type Callee =
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'function'; readonly function: FunctionFact }
  /** `cls(…)` in a class method. */
  | { readonly kind: 'own-class'; readonly owner: string }
  /** A method, or the object itself where `method` is null. */
  | { readonly kind: 'member'; readonly receiver: Receiver; readonly method: string | null };

/** A call whose callee may be decidable. */
export interface CallFact {
  readonly callee: Callee;
  /** As written, for messages. */
  readonly written: string;
  /** Positional arguments before any `*args`. */
  readonly positional: number;
  readonly keywords: readonly string[];
  /** With `*args`; more positional arguments may come. */
  readonly hasRest: boolean;
  readonly hasKeywords: boolean;
  readonly line: number;
  readonly symbol: string;
}

/** An attribute read off an object whose class may be decidable. */
export interface MemberUse {
  readonly receiver: Receiver;
  readonly name: string;
  readonly line: number;
  readonly symbol: string;
}

/** A place that sets attributes with computed names, on anything but `self`. */
export interface ComputedSet {
  /** Null for what may be anything. */
  readonly receiver: Receiver | null;
  /** No part of the name stands in the text. */
  readonly isArbitrary: boolean;
}

/** Names that stand in a file as values, from which code may compute the names of attributes. */
export interface SaidNames {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
}

/** What is done to an object whose class may be decidable, and needs a method of that class. */
export interface OperationUse {
  readonly receiver: Receiver;
  readonly operation: Operation;
  /** The object as written. */
  readonly written: string;
  readonly line: number;
  readonly symbol: string;
}

/** A name that no scope of the file binds and Python does not provide. */
export interface UndefinedName {
  readonly name: string;
  readonly line: number;
  readonly symbol: string;
  /** Names in scope, for a suggestion; the nearest only. */
  readonly nearest: string | null;
}

/** One `add_argument`. */
export interface ArgumentFact {
  /** `--rate` and `-r`; a positional argument has its name. */
  readonly flags: readonly string[];
  readonly line: number;
  readonly isRequired: boolean;
  /** Null where any value will do, or it can't be known. */
  readonly choices: readonly string[] | null;
  /** What it is when it is left out, as literals are spelled; null where there is none, or it is computed. */
  readonly fallback: string | null;
  /** The variable of the parser that takes it. */
  readonly holder: string;
  /** The attribute that holds the value; empty where it is handed to a function. */
  readonly destination: string;
}

/** What a Python file says of its command line. */
export interface CommandLineFact {
  readonly arguments: readonly ArgumentFact[];
  /** Sub-commands: the name, the variable of its parser, and those of the parsers whose flags it has as well. */
  readonly subcommands: readonly {
    readonly name: string;
    readonly holder: string;
    readonly parents: readonly string[];
  }[];
  /** Parsers made here, sub-parsers included. */
  readonly parsers: number;
  /** Calls `parse_args`. */
  readonly parses: boolean;
  /** Reads arguments in a way that is not decidable: computed flags, `parse_known_args`, `sys.argv`, another library. */
  readonly isOpen: boolean;
  /** The parsed arguments are handed on as a whole by `vars` or `**`. */
  readonly spreads: boolean;
}

/** A command in a script or in a document's code block; null stands for a word that only the shell knows. */
export interface CommandUse {
  readonly words: readonly (string | null)[];
  readonly line: number;
  /** Where it is run, relative to where the file's commands start; null when not known. */
  readonly folder: string | null;
}

/** A command that an installation makes: `name = "package.module:function"`. */
export interface ConsoleScript {
  readonly name: string;
  readonly target: string;
}

/** One thing that a linter says of a file. */
export interface LintMark {
  /** The linter's name for the rule: `F507`. */
  readonly code: string;
  readonly line: number;
  readonly message: string;
}

/** What the checks across files need to know of one file's code and commands. */
export interface CodeFacts {
  /** Names bound once at module level; what is bound more often is not decidable and left out. */
  readonly bindings: readonly ModuleBinding[];
  /** The last names of bases of classes that are nested, conditional or defined twice. */
  readonly otherBases: readonly string[];
  readonly calls: readonly CallFact[];
  readonly members: readonly MemberUse[];
  readonly operations: readonly OperationUse[];
  readonly undefinedNames: readonly UndefinedName[];
  /** Attributes that are set on anything but `self`. */
  readonly attributesSet: readonly string[];
  readonly computedSets: readonly ComputedSet[];
  readonly said: SaidNames;
  /** Attributes of classes that are nested, conditional or defined twice. */
  readonly otherAttributes: readonly string[];
  readonly commandLine: CommandLineFact;
  /** Running it as a script does something. */
  readonly acts: boolean;
  readonly commands: readonly CommandUse[];
  readonly consoleScripts: readonly ConsoleScript[];
  /** The packages that a `pyproject.toml` lists for its installation, dotted. */
  readonly installed: readonly string[];
  /** Functions without anything but a docstring, `pass`, `...` or a NotImplementedError in them, qualified. */
  readonly emptyFunctions: readonly string[];
  /** Modules that an installation compiles, dotted. */
  readonly compiled: readonly string[];
  readonly lint: readonly LintMark[];
  /** How values, names and data move. */
  readonly traces: TraceFacts;
}

export const NO_COMMAND_LINE: CommandLineFact = {
  arguments: [],
  subcommands: [],
  parsers: 0,
  parses: false,
  isOpen: false,
  spreads: false,
};

/** The facts of a file that holds no code. */
export const NO_CODE: CodeFacts = {
  bindings: [],
  otherBases: [],
  calls: [],
  members: [],
  operations: [],
  undefinedNames: [],
  attributesSet: [],
  computedSets: [],
  said: { names: [], prefixes: [], suffixes: [] },
  otherAttributes: [],
  commandLine: NO_COMMAND_LINE,
  acts: false,
  commands: [],
  consoleScripts: [],
  installed: [],
  emptyFunctions: [],
  compiled: [],
  lint: [],
  traces: NO_TRACES,
};
