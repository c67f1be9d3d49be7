import type { SettingsSource } from '../diagnostics/settings-facts.ts';
import { textOf } from './python-scopes.ts';
import type { SyntaxNode } from './syntax-tree.ts';
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
    hinted: HINT.test(said),
  };
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
