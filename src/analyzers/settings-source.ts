import type { SettingsSource } from '../diagnostics/settings-facts.ts';
import { textOf } from './python-scopes.ts';
import { childOf, type SyntaxNode } from './syntax-tree.ts';
import type { Frame, Reading } from './value-reading.ts';

/** Names by which code says that it handles settings. */
const HINT = /conf(ig)?(?![a-z])|conf(ig)?s?_|cfg|setting|hparam|hyper_?param/i;
const SETTINGS_FILE = /[\w.-]+\.(?:ya?ml|json|toml)\b/g;
/** What stands before a call on its line, and a little more. */
const MAX_BEFORE = 200;

/** A call that loads settings, with all that tells which file it means. */
export function settingsSource(
  { text }: Reading,
  call: SyntaxNode,
  { format, dotted }: Pick<SettingsSource, 'format' | 'dotted'>,
  frame: Frame,
): SettingsSource {
  const surroundings = frame.symbol === '' ? lineOf(text, call) : textOf(frame.node, text);
  const files = [...surroundings.matchAll(SETTINGS_FILE)].map(([name]) => name);
  const said = [frame.symbol, lineOf(text, call), headOf(frame, text)].join('\n');
  return {
    node: `load:${call.start}`,
    format,
    dotted,
    files: [...new Set(files)],
    reads: filesOf(call, frame, text),
    hinted: HINT.test(said),
  };
}

/** How often what a path is made of is looked up. */
const MAX_STEPS = 4;

/** The files that a call's argument comes to: written in it, the default of a flag, or what a name of the same function stands for. */
function filesOf(call: SyntaxNode, { node, symbol }: Frame, text: string): string[] | null {
  const surroundings = symbol === '' ? text : textOf(node, text);
  let written = textOf(childOf(call, 'arguments'), text);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (/\bf["'][^"'\n]*\{/.test(written)) return null;
    const names = written.match(SETTINGS_FILE);
    if (names !== null) return [...new Set(names)];
    const flag = /\b\w+\.(?:pop\(\s*["'](\w+)["']\)|(\w+)\b(?!\s*\())/.exec(written);
    const byFlag = defaultOf(flag?.[1] ?? flag?.[2], text);
    if (byFlag !== undefined) return [byFlag];
    const next = standsFor(written, surroundings);
    if (next === undefined) return null;
    written = next;
  }
  return null;
}

/** The file that a flag of the same module means when it is left out. */
function defaultOf(name: string | undefined, text: string): string | undefined {
  if (name === undefined) return undefined;
  const flag = name.replaceAll('_', '[-_]');
  const pattern = new RegExp(
    `add_argument\\(\\s*(?:["']-\\w["'],\\s*)?["'](?:--)?${flag}["'](?:[^()]|\\([^()]*\\))*?\\bdefault\\s*=\\s*(?:[\\w.]*Path\\()?["']([^"']+)["']`,
  );
  const file = pattern.exec(text)?.[1]?.split('/').at(-1);
  return file !== undefined && /\.(ya?ml|json|toml)$/.test(file) ? file : undefined;
}

/** What the one name of an expression was opened or made of: `f` of `with open(path) as f`. */
function standsFor(written: string, surroundings: string): string | undefined {
  const name = /^\(?\s*([A-Za-z_]\w*)\s*(?:\.read(?:_text|_bytes)?\([^()]*\))?\s*[,)]/.exec(
    written,
  )?.[1];
  if (name === undefined) return undefined;
  const made = [
    ...surroundings.matchAll(
      new RegExp(`(?:\\bwith\\s+|,\\s*)([\\w.]*open\\([^\\n]*?\\))\\s+as\\s+${name}\\b`, 'g'),
    ),
    ...surroundings.matchAll(new RegExp(`^\\s*${name}\\s*=\\s*([^=\\n].*)$`, 'gm')),
  ];
  const [only] = made;
  if (only?.[1] === undefined || made.length > 1) return undefined;
  return only[1].replace(/^[\w.]*open(?=\()/, '');
}

/** The statement's line, with the one before it: `with open(path) as f:` names the file. */
function lineOf(text: string, { start, end }: SyntaxNode): string {
  const before = text
    .slice(Math.max(0, start - MAX_BEFORE), start)
    .split('\n')
    .slice(-2);
  return before.join('\n') + text.slice(start, end);
}

function headOf({ node, symbol }: Frame, text: string): string {
  if (symbol === '') return '';
  const head = textOf(node, text);
  return head.slice(0, head.indexOf('\n') >>> 0);
}
