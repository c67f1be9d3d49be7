import type { SaidNames } from '../diagnostics/code-facts.ts';

const NAMES = /["'](?:--?)?([A-Za-z_][\w-]*)["']|\b([A-Za-z_]\w*)["']?\s*[:=](?!=)/g;
/** `f"layer{`, `"layer%d`, `"layer" +`, and the same from behind. */
const PREFIXES = /["'](\w+)(?:\{|%[sd]|["']\s*[+%])/g;
const SUFFIXES = /(?:\}|%[sd]|\+\s*["'])(\w+)["']/g;

/** The names that a file says as strings, keys, keywords or targets, so that code may compute them; and what names may be put together with. */
export function readSaidNames(text: string): SaidNames {
  const all = (pattern: RegExp): string[] => [
    ...new Set(
      [...text.matchAll(pattern)].map(([, one, other]) =>
        (one ?? other ?? '').replaceAll('-', '_'),
      ),
    ),
  ];
  return { names: all(NAMES), prefixes: all(PREFIXES), suffixes: all(SUFFIXES) };
}

/** The fixed parts of an expression that puts a name together. */
export function partsOf(written: string): readonly string[] {
  return [PREFIXES, SUFFIXES].flatMap((pattern) =>
    [...written.matchAll(pattern)].map(([, part = '']) => part),
  );
}
