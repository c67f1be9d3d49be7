import { parse as parseToml } from 'smol-toml';
import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import {
  type DefinedKey,
  EMPTY_SETTINGS,
  type SettingsFacts,
} from '../diagnostics/settings-facts.ts';
import type { Language } from '../diagnostics/parsed-file.ts';

/** Longer files are data, not settings. */
const MAX_CHARACTERS = 200_000;
const MAX_KEYS = 2_000;
const MAX_DEPTH = 12;
/** Longer strings are texts, not names. */
const MAX_STRING_LENGTH = 100;
/** Longer lists are data. */
const MAX_ITEMS = 8;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
/** Files in these formats that tools read, not the repository's code. */
const OF_TOOLS =
  /(^|\/)(pyproject\.toml|package(-lock)?\.json|tsconfig\.json|environment[\w.-]*\.ya?ml|conda[\w.-]*\.ya?ml|docker-compose[\w.-]*\.ya?ml|mkdocs\.ya?ml|\.[\w.-]+\.(ya?ml|json|toml)|Cargo\.toml|poetry\.toml|uv\.toml|ruff\.toml)$|(^|\/)\.[\w-]+\//;

/** The keys and strings of a YAML, JSON or TOML file; nothing where it can't be read. */
export function readSettingsFile(path: string, language: Language, text: string): SettingsFacts {
  if (text.length > MAX_CHARACTERS || path.endsWith('.ipynb')) return EMPTY_SETTINGS;
  if (language === 'shell') return { ...EMPTY_SETTINGS, ...readRedirections(text) };
  const reading = readKeys(language, text);
  if (reading === undefined) return EMPTY_SETTINGS;
  const { keys, strings, isMapping } = reading;
  const names = keys.map(({ path: segments }) => segments.at(-1) ?? '');
  const isSettings = isMapping && keys.length <= MAX_KEYS && !OF_TOOLS.test(path);
  return {
    ...EMPTY_SETTINGS,
    defines: isSettings ? keys : null,
    strings: [...new Set([...names, ...strings])].slice(0, MAX_KEYS),
  };
}

/** The files that a script has the shell write: `> a.txt`, `| tee "b-$x.log"`. */
function readRedirections(text: string): Pick<SettingsFacts, 'templates' | 'writes'> {
  const targets = text.matchAll(/(?:[^&>]>{1,2}|\btee(?:\s+-a)?)\s*("[^"\n]+"|[^\s;|&<>()"]+)/g);
  const templates = [...targets].map(([, target = '']) =>
    target.replaceAll('"', '').replace(/\$\{[^}]*\}|\$\w+|\$\([^)]*\)/g, '\0'),
  );
  return { templates, writes: templates.length > 0 };
}

interface Reading {
  readonly keys: DefinedKey[];
  readonly strings: string[];
  readonly isMapping: boolean;
}

function readKeys(language: Language, text: string): Reading | undefined {
  try {
    if (language === 'toml') return readTree(parseToml(text), text);
    if (language === 'json') return readTree(JSON.parse(text), text);
    return language === 'yaml' ? readYaml(text) : undefined;
  } catch {
    // What is wrong with the text is reported by its parser.
    return undefined;
  }
}

function readYaml(text: string): Reading | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  if (document.errors.length > 0) return undefined;
  const reading: Reading = { keys: [], strings: [], isMapping: isMap(document.contents) };
  visit(document, {
    Scalar: (_, node) => addString(reading, node.value),
    Pair: (_, pair, ancestors) => {
      if (ancestors.some(isSeq) || ancestors.length > 2 * MAX_DEPTH || !isScalar(pair.key)) return;
      const outer = ancestors
        .filter(isPair)
        .map(({ key }) => (isScalar(key) ? String(key.value) : ''));
      const line = lines.linePos(pair.key.range?.[0] ?? 0).line;
      const name = String(pair.key.value);
      // A merged mapping brings keys that stand elsewhere.
      if (name === '<<') reading.keys.push({ path: outer, line, holds: 'open', value: null });
      else {
        const { value: node } = pair;
        const isPlain = isScalar(node) || isSeq(node);
        const value = isPlain ? plainValue(node.toJS(document)) : null;
        reading.keys.push({ path: [...outer, name], line, holds: holds(pair.value), value });
      }
    },
  });
  return reading;
}

function holds(value: unknown): DefinedKey['holds'] {
  if (value === null || value === undefined || isAlias(value)) return 'open';
  if (isMap(value)) return value.items.length === 0 ? 'open' : 'keys';
  if (!isScalar(value)) return 'value';
  const plain = value.value;
  const isReference = typeof plain === 'string' && plain.includes('${');
  return plain === null || isReference ? 'open' : 'value';
}

/** JSON and TOML keep no places; a key's line is the first that holds it. */
function readTree(tree: unknown, text: string): Reading {
  const isMapping = isRecord(tree);
  const reading: Reading = { keys: [], strings: [], isMapping };
  const lines = text.split('\n');
  const walk = (value: unknown, path: readonly string[], inList: boolean): void => {
    addString(reading, value);
    if (path.length > MAX_DEPTH || reading.keys.length > MAX_KEYS) return;
    if (Array.isArray(value)) for (const item of value) walk(item, path, true);
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value)) {
        const line = 1 + lines.findIndex((each) => each.includes(name));
        if (inList) addString(reading, name);
        else {
          const value = plainValue(inner);
          reading.keys.push({ path: [...path, name], line, holds: holdsPlain(inner), value });
        }
        walk(inner, [...path, name], inList);
      }
  };
  walk(tree, [], false);
  return reading;
}

function holdsPlain(value: unknown): DefinedKey['holds'] {
  if (value === null) return 'open';
  if (!isRecord(value)) return 'value';
  return Object.keys(value).length === 0 ? 'open' : 'keys';
}

/** A scalar, or a short list of scalars. */
function plainValue(value: unknown): string | null {
  if (Array.isArray(value)) {
    const items = value.length <= MAX_ITEMS ? value.map(plainValue) : [];
    return items.length > 0 && items.every((item) => item !== null)
      ? `[${items.join(', ')}]`
      : null;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.length > MAX_STRING_LENGTH) return null;
  // YAML takes `3e-4` for a string, and so do readers that convert it.
  return NUMBER.test(value) ? String(Number(value)) : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function addString({ strings }: Reading, value: unknown): void {
  if (strings.length > MAX_KEYS) return;
  if (typeof value === 'string' && value.length <= MAX_STRING_LENGTH) strings.push(value);
}
