import type { Language } from '../diagnostics/parsed-file.ts';

/** At least how deep the values of a data file are nested, told without parsing it: by brackets, dashes and indentation. 0 for other files. */
export function nestingOf(language: Language, text: string): number {
  if (language === 'json' || language === 'toml') return bracketDepth(text);
  if (language !== 'yaml') return 0;
  return Math.max(bracketDepth(text), indentationDepth(text));
}

/** Brackets in strings count too; no one writes hundreds of those either. */
function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** How many lines, each indented further than the one before that it stands in, surround the innermost; `- - a` counts its dashes. */
function indentationDepth(text: string): number {
  const outer: number[] = [];
  let deepest = 0;
  for (const line of text.split('\n')) {
    const [indentation = ''] = /^[ \t]*(?:[-?:] +)*/.exec(line) ?? [];
    if (indentation.length === line.trimEnd().length) continue;
    while ((outer.at(-1) ?? -1) >= indentation.length) outer.pop();
    outer.push(indentation.length);
    deepest = Math.max(deepest, outer.length + (indentation.match(/[-?:]/g)?.length ?? 0));
  }
  return deepest;
}
