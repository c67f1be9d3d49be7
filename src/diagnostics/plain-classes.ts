/** The classes of a repository of which the texts tell all that Python asks a class for. */
export interface PlainClasses {
  /** The file of a class whose objects, and those of all that inherit from it, lack every one of these methods; undefined where they may have one. */
  readonly lacking: (name: string, methods: readonly string[]) => string | undefined;
  /** Whether some function takes its objects by default, so that a type may have been guessed from that. */
  readonly isDefault: (name: string) => boolean;
}

interface PlainClass {
  readonly path: string;
  /** Without what is in square brackets. */
  readonly bases: readonly string[];
  readonly source: string;
  /** At the top of a file, and no decorator or method makes it other than what is written. */
  readonly isPlain: boolean;
}

const DEFINITION = /^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\[[^\]]*\])?[ \t]*(?:\(([^)]*)\))?[ \t]*:/gm;
const KNOWN_BASE = /^(object|(abc\.)?ABC|(typing\.)?Generic|metaclass\s*=\s*(abc\.)?ABCMeta)$/;
const HARMLESS = /^@((dataclasses\.)?dataclass|(functools\.)?total_ordering|(typing\.)?final)\b/;
const MAKES_UP = /\bdef __(getattr|getattribute|new)__\b/;
/** Methods that are given to a class from outside. */
const GIVEN = /\.(__\w+__)\s*=(?!=)|\bsetattr\([^)]*["'](__\w+__)["']/g;

/** Reads the classes off all texts, each by its name, which must be its own. */
export function readPlainClasses(texts: ReadonlyMap<string, string>): PlainClasses {
  const classes = new Map<string, readonly PlainClass[]>();
  const given = new Set<string>();
  for (const [path, text] of texts) {
    for (const [, set, named] of text.matchAll(GIVEN)) given.add(set ?? named ?? '');
    for (const [name, one] of classesOf(path, text))
      classes.set(name, [...(classes.get(name) ?? []), one]);
  }
  /** A class with what it inherits from; undefined where that can't be known. */
  const lineage = (name: string, below: readonly string[] = []): PlainClass[] | undefined => {
    const [one, ...others] = classes.get(name) ?? [];
    if (one === undefined) return below.length > 0 && KNOWN_BASE.test(name) ? [] : undefined;
    if (others.length > 0 || !one.isPlain || below.includes(name)) return undefined;
    const bases = one.bases.map((base) => lineage(base, [...below, name]));
    return bases.every((base) => base !== undefined) ? [one, ...bases.flat()] : undefined;
  };
  const heirs = (names: ReadonlySet<string>): PlainClass[] => {
    const found = [...classes].flatMap(([heir, ones]) =>
      ones.filter(({ bases }) => bases.some((base) => names.has(lastOf(base)))).map(() => heir),
    );
    const all = new Set([...names, ...found]);
    return all.size > names.size ? heirs(all) : [...all].flatMap((name) => classes.get(name) ?? []);
  };
  return {
    lacking(name, methods) {
      const own = lineage(name);
      const [first] = own ?? [];
      if (own === undefined || first === undefined) return undefined;
      const family = [...own, ...heirs(new Set([name]))];
      // Behind another base an heir may have anything.
      const isOpen = family.some(({ bases }) =>
        bases.some((base) => !classes.has(base) && !KNOWN_BASE.test(base)),
      );
      const has = (method: string): boolean =>
        given.has(method) || family.some(({ source }) => source.includes(method));
      return isOpen || methods.some(has) ? undefined : first.path;
    },
    isDefault(name) {
      const taken = new RegExp(String.raw`\b(?:def|lambda)\b[^)]*[^=!<>]=\s*(?:\w+\.)*${name}\b`);
      return [...texts.values()].some((text) => taken.test(text));
    },
  };
}

function classesOf(path: string, text: string): [string, PlainClass][] {
  return [...text.matchAll(DEFINITION)].map((found) => {
    const [head, indent = '', name = '', written = ''] = found;
    const rest = text.slice(found.index + head.length);
    // Up to the next line that stands as far left as the class.
    const end = rest.search(new RegExp(String.raw`\n[ \t]{0,${indent.length}}[^\s#)]`));
    const source = end < 0 ? rest : rest.slice(0, end);
    const isPlain =
      indent === '' &&
      !MAKES_UP.test(source) &&
      marksAbove(text.slice(0, found.index)).every((mark) => HARMLESS.test(mark));
    const bases = written.replace(/\[[^\]]*\]+/g, '').split(',');
    const named = bases.map((base) => base.trim()).filter((base) => base !== '');
    return [name, { path, bases: named, source, isPlain }];
  });
}

/** The decorators of what comes after a text; of one over several lines, the last line as well. */
function marksAbove(text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n');
  const start = lines.findLastIndex((line) => line.trim() === '');
  return lines.slice(start + 1).filter((line) => /^[@)]/.test(line));
}

function lastOf(base: string): string {
  return base.split('.').at(-1) ?? '';
}
