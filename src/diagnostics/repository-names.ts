/** What a repository's Python names things. */
export interface Names {
  /** Without those that stand in for another of their name, and what inherits from them. */
  readonly classes: ReadonlySet<string>;
  /** How many functions and methods there are of a name. */
  readonly functions: ReadonlyMap<string, number>;
  /** Names of functions, classes, attributes that are set, fields, keywords, and words in quotes: what some object may have. */
  readonly made: ReadonlySet<string>;
}

const MAKING = /\b(class|def)\s+(\w+)|\b([A-Za-z_]\w*)\s*[:=](?!=)|["']([A-Za-z_]\w*)["']/g;

const DECORATED =
  /^[ \t]*@(?!staticmethod\b|classmethod\b).*\n(?:[ \t]*[@#].*\n)*[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/gm;

/** Reads the names off all texts. */
export function readNames(texts: ReadonlyMap<string, string>): Names {
  const classes = new Set<string>();
  const twice = new Set<string>();
  const indented = new Set<string>();
  const functions = new Map<string, number>();
  const made = new Set<string>();
  const count = (name: string): void => void functions.set(name, (functions.get(name) ?? 0) + 1);
  for (const text of texts.values()) {
    for (const [, word, name, set, quoted] of text.matchAll(MAKING)) {
      if (word === 'class' && name !== undefined && name !== 'object')
        (classes.has(name) ? twice : classes).add(name);
      if (word === 'def' && name !== undefined) count(name);
      made.add(name ?? set ?? quoted ?? '');
    }
    for (const [, name = ''] of text.matchAll(INDENTED)) indented.add(name);
    // What a decorator makes of a function, as of a property, may be called otherwise.
    for (const [, name = ''] of text.matchAll(DECORATED)) count(name);
  }
  // One of them stands in for the other, which some package lacks.
  const conditional = new Set([...twice].filter((name) => indented.has(name)));
  const unsure = heirsOf(conditional, texts.values());
  return { classes: new Set([...classes].filter((name) => !unsure.has(name))), functions, made };
}

const INDENTED = /^[ \t]+class\s+(\w+)/gm;
const WITH_BASES = /\bclass\s+(\w+)\s*\(([^)]*)\)/g;

/** The classes and all that inherit from them. */
function heirsOf(names: ReadonlySet<string>, texts: Iterable<string>): ReadonlySet<string> {
  const found = new Set(names);
  const classes = [...texts].flatMap((text) => [...text.matchAll(WITH_BASES)]);
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [, name = '', bases = ''] of classes)
      if ((bases.match(/\w+/g) ?? []).some((base) => found.has(base))) found.add(name);
  }
  return found;
}
