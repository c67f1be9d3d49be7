/** One parameter of a function, as a caller sees it. */
export interface Parameter {
  readonly name: string;
  /** `rest` stands for `*args`, `keywords` for `**kwargs`. */
  readonly kind: 'positional' | 'either' | 'keyword' | 'rest' | 'keywords';
  readonly isOptional: boolean;
}

/** A function whose parameters are what its callers meet: no decorator changes them. */
export interface FunctionFact {
  /** Qualified: `Trainer.fit`. */
  readonly symbol: string;
  /** With `self` or `cls`. */
  readonly parameters: readonly Parameter[];
  readonly role: 'function' | 'method' | 'static' | 'class' | 'property';
}

/** An import as what it binds stands for: a module (`name` null) or a name of one. */
export interface ImportOrigin {
  readonly module: string;
  readonly level: number;
  readonly name: string | null;
}

/** A dotted name as code uses it; its first part is looked up in `origin`, or in the file's own module where that is null. */
export interface Reference {
  readonly origin: ImportOrigin | null;
  readonly chain: readonly string[];
}

/** A field of a class as `@dataclass` and NamedTuple read it. */
export interface FieldFact {
  readonly name: string;
  readonly isOptional: boolean;
  readonly isKeyword: boolean;
  /** False for `field(init=False)`. */
  readonly isParameter: boolean;
}

/** How a class makes its constructor from its fields. */
export interface DataclassFact {
  readonly makesInit: boolean;
  readonly keywordOnly: boolean;
}

/** A class at module level. */
export interface ClassFact {
  readonly name: string;
  /** Null for a base that is no dotted name. */
  readonly bases: readonly (Reference | null)[];
  /** Null without `@dataclass`. */
  readonly dataclass: DataclassFact | null;
  readonly fields: readonly FieldFact[];
  /** Methods defined once and undecorated, or decorated without effect on their parameters. */
  readonly methods: readonly FunctionFact[];
  /** Every name bound in its body, in its slots, or set on `self` by a method. */
  readonly attributes: readonly string[];
  /** Attributes that are set once, to a new object of a class. */
  readonly instances: readonly { readonly name: string; readonly of: Reference }[];
  /** A decorator, a metaclass or `__getattr__` may give it anything. */
  readonly isDynamic: boolean;
  /** The same, its decorators left aside. */
  readonly makesUpAttributes: boolean;
  /** Decorators that may do so; null for one that is no dotted name. */
  readonly decorators: readonly (Reference | null)[];
}
