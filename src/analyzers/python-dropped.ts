import type { FileFault } from '../diagnostics/parsed-file.ts';
import { type Scope, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, descendants, type SyntaxNode } from './syntax-tree.ts';

/** Names of what a training step minimises or a table reports. */
const QUANTITY =
  /(^|_)(loss|losses|penalty|regulariz\w*|regularis\w*|kl|entropy|accuracy|f1|auc|bleu|rouge|perplexity|reward|advantage)(_|$|\d)/i;
/** Terms that are added to a loss. */
const TERM = /(loss|penalty|regulari[sz]\w*|kl|entropy)(_?\w*)?$/i;

/** A loss or measure that is computed and never used, and a term of a loss that is multiplied by a literal zero. */
export function readDroppedValues(root: SyntaxNode, text: string): FileFault[] {
  const faults: FileFault[] = [];
  for (const [node, scope] of scopedNodes(root, text)) {
    if (node.type === 'function_definition') faults.push(...droppedIn(node, scope, text));
    const term = node.type === 'binary_operator' ? zeroTerm(node, text) : undefined;
    if (term !== undefined) faults.push(zeroFault(node, scope, term));
  }
  return faults;
}

/** Variables of one function that are assigned once, from a call, and whose name occurs nowhere else in it. */
function droppedIn(definition: SyntaxNode, scope: Scope, text: string): FileFault[] {
  const body = childOf(definition, 'body');
  if (body === undefined) return [];
  const code = textOf(body, text);
  if (/\b(locals|vars|eval|exec)\s*\(|\b(global|nonlocal)\b/.test(code)) return [];
  const inner = descendants(body, (node) => !/^(function|class)_definition$/.test(node.type));
  return [...inner].flatMap((node) => {
    const left = node.type === 'assignment' ? childOf(node, 'left') : undefined;
    const right = node.type === 'assignment' ? childOf(node, 'right') : undefined;
    if (left?.type !== 'identifier' || right?.type !== 'call') return [];
    const name = textOf(left, text);
    const count = code.match(new RegExp(`(?<!\\w)${name}(?!\\w)`, 'g'))?.length ?? 0;
    if (!QUANTITY.test(name) || name.startsWith('_') || count !== 1) return [];
    const owner = textOf(childOf(definition, 'name'), text);
    const symbol = scope.symbol === '' ? owner : `${scope.symbol}.${owner}`;
    return [
      {
        kind: 'dropped-value' as const,
        symbol: `${symbol}: ${name}`,
        line: node.line,
        message: `\`${symbol}\` computes \`${name}\` (line ${node.line}) and nothing uses it`,
        remedy: `Let \`${name}\` reach the loss, the log or the result that it is for, or take it away.`,
      },
    ];
  });
}

/** The name of a term that a literal zero takes out of a sum; undefined where a comment on the line gives a reason. */
function zeroTerm(node: SyntaxNode, text: string): string | undefined {
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
  const operator = textOf(childOf(node, 'operator'), text);
  if (operator !== '*' || left === undefined || right === undefined) return undefined;
  const isZero = (side: SyntaxNode) => /^0(\.0*)?$/.test(textOf(side, text));
  const other = isZero(left) ? right : isZero(right) ? left : undefined;
  if (other === undefined || !/^(identifier|attribute)$/.test(other.type)) return undefined;
  const lineEnd = text.indexOf('\n', node.end);
  const isExplained = text.slice(node.end, lineEnd < 0 ? text.length : lineEnd).includes('#');
  const name = textOf(other, text);
  return !isExplained && TERM.test(name) ? name : undefined;
}

function zeroFault({ line }: SyntaxNode, { symbol }: Scope, term: string): FileFault {
  return {
    kind: 'dropped-value',
    symbol: symbol === '' ? term : `${symbol}: ${term}`,
    line,
    message: `\`${term}\` is multiplied by zero (line ${line}), so it has no effect`,
    remedy: `Weigh \`${term}\` as the paper does, by a setting; where zero is meant, say why in a comment on the line.`,
  };
}
