import type { TraceFacts } from '../diagnostics/trace-facts.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { templateOf } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Functions that show or keep what they are given. */
const KEEPS =
  /^(print|echo|secho|info|debug|warning|write\w*|log\w*|add\w*|append|record\w*|save\w*|report\w*|track\w*|plot\w*|set|put|push|insert|store|dump\w*|observe|update|emit|scalar\w*|metric\w*|measure\w*|[xy]label|title|text|legend|setdefault|note\w*|collect\w*|row|register_metric)$/;
/** Arguments whose value is a name that is shown. */
const NAMES =
  /^(label|name|names|title|[xy]label|key|keys|metric|metrics|measure|column|columns|fieldnames|fields|header|headers|index|tag)$/;
/** Variables that hold such a name. */
const HOLDS_NAME = /(name|key|column|metric|label|field|header|measure)s?$/i;
/** Calls whose strings say something else. */
const SAYS_OTHER =
  /^(add_argument|ArgumentParser|add_parser|add_argument_group|option|Path|PosixPath|open|\w*Error|\w*Exception|SystemExit|getenv|get_logger|getLogger|TypeVar|import_module|compile|load_\w*)$/;
const CHANGES = /^(append|update|add|extend|push|insert)$/;
/** Nobody writes longer names. */
const MAX_LENGTH = 400;
/** Texts are no names. */
const MAX_WORDS = 8;

type Labels = Pick<TraceFacts, 'labels' | 'callLabels' | 'argumentLabels' | 'labelsAreComputed'>;

/** Under which names a file may show or keep values: keys, columns, arguments; and the strings that calls are given by place. */
export function readLabels(scopes: ReadonlyMap<SyntaxNode, Scope>, text: string): Labels {
  const labels = new Set<string>();
  const callLabels = new Set<string>();
  let labelsAreComputed = false;
  const argumentLabels = new Set<string>();
  const add = (set: Set<string>, node: SyntaxNode | undefined, isKey = false): void => {
    if (node === undefined || node.end - node.start > MAX_LENGTH) return;
    for (const written of stringsIn(node, text)) {
      if (written.trim().split(/\s+/).length > MAX_WORDS) continue;
      set.add(written);
      // `f"{split}_{name}"` may be anything.
      if (isKey && /\0/.test(written) && !/[A-Za-z]{3}/.test(written)) labelsAreComputed = true;
    }
  };
  for (const node of scopes.keys()) {
    switch (node.type) {
      case 'keyword_argument': {
        const name = textOf(childOf(node, 'name'), text);
        const value = childOf(node, 'value');
        if (NAMES.test(name)) add(labels, value);
        if (!isPlain(value)) argumentLabels.add(name);
        break;
      }
      case 'pair':
        if (!/^(string|true|false|none)$/.test(childOf(node, 'value')?.type ?? ''))
          add(labels, childOf(node, 'key'), true);
        break;
      case 'list':
      case 'tuple':
        if (namedChildren(node).length > 1)
          for (const item of namedChildren(node)) if (isString(item)) add(labels, item);
        break;
      case 'assignment':
      case 'augmented_assignment': {
        const left = childOf(node, 'left');
        if (left?.type === 'subscript') add(labels, childOf(left, 'subscript'), true);
        else if (HOLDS_NAME.test(textOf(left, text)) && isString(childOf(node, 'right')))
          add(labels, childOf(node, 'right'));
        break;
      }
      case 'call': {
        const called = calledName(node, text);
        const holder = childOf(childOf(node, 'function') ?? node, 'object');
        if (CHANGES.test(called) && holder?.type === 'subscript')
          add(labels, childOf(holder, 'subscript'));
        const isMade = /^[A-Z]/.test(called);
        if (SAYS_OTHER.test(called) || (!isMade && !KEEPS.test(called))) break;
        for (const given of namedChildren(childOf(node, 'arguments') ?? node))
          if (given.type !== 'keyword_argument') add(isMade ? callLabels : labels, given);
        break;
      }
      default:
        break;
    }
  }
  // Functions may be shown under their own names.
  if (/\.__name__\b/.test(text))
    for (const node of scopes.keys())
      if (node.type === 'function_definition') labels.add(textOf(childOf(node, 'name'), text));
  return {
    ...{ labels: [...labels], callLabels: [...callLabels], argumentLabels: [...argumentLabels] },
    labelsAreComputed,
  };
}

function isString(node: SyntaxNode | undefined): boolean {
  return /^(string|concatenated_string)$/.test(node?.type ?? '');
}

function isPlain(node: SyntaxNode | undefined): boolean {
  return /^(string|integer|float|true|false|none|unary_operator)$/.test(node?.type ?? '');
}

/** The strings of an expression, those within calls, keys and comparisons left out; `f"{loss=}"` says `loss`. */
function stringsIn(node: SyntaxNode, text: string): string[] {
  const found: string[] = [];
  const isOuter = (one: SyntaxNode): boolean =>
    !/^(subscript|comparison_operator|dictionary|lambda)$/.test(one.type) &&
    (one.type !== 'call' || calledName(one, text) === 'format');
  for (const one of descendants(node, isOuter)) {
    const template = isString(one) ? templateOf(one, text) : undefined;
    if (template !== undefined) found.push(template);
    const shown = one.type === 'interpolation' ? /^\{\s*(\w+)\s*=/.exec(textOf(one, text)) : null;
    if (shown?.[1] !== undefined) found.push(shown[1]);
  }
  return found;
}
