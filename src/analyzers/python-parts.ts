import type { LoadedPart, Measured, TraceFacts } from '../diagnostics/trace-facts.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const MEASURES =
  /^(evaluate|eval|test|validate|score|accuracy|compute_\w*(acc|score|metric)\w*)(_|$)|^(evaluate|test|validate)\w*$/;
/** Calls and words with which code makes parts of its own. */
const SPLITS =
  /\b(random_split|train_test_split|Subset\w*|\w*KFold|\w*ShuffleSplit|cross_val\w*|LeaveOneOut|ConcatDataset|permutation|randperm)\b|\.select\(|train_?\[|\bsplit\s*=\s*["'][^"']*\[|\.train_test_split\(|\b(n|num)_(train|test|val)\b/;

/** The parts of the data that a file loads, and what it measures on which. */
export function readParts(
  scopes: ReadonlyMap<SyntaxNode, Scope>,
  text: string,
): Pick<TraceFacts, 'loaded' | 'measured' | 'splits'> {
  const loaded: LoadedPart[] = [];
  const measured: Measured[] = [];
  const fitted = new Map<string, Set<string>>();
  for (const [node, scope] of scopes) {
    if (node.type === 'assignment') loaded.push(...loadedBy(node, scope, text));
    if (node.type !== 'call') continue;
    const callee = calledName(node, text);
    const on = variablesGiven(node, text);
    const key = on.join(', ');
    const fits = fitted.get(scope.symbol) ?? new Set();
    fitted.set(scope.symbol, fits);
    if (/^(fit|fit_transform)$/.test(callee) && on.length >= 2) fits.add(key);
    if (MEASURES.test(callee) && on.length > 0)
      measured.push({ callee, on, fitted: fits.has(key), line: node.line, symbol: scope.symbol });
  }
  return { loaded, measured, splits: SPLITS.test(text) };
}

/** `train_set = MNIST(root, train=True)`, `data = load_dataset("x", split="train")` */
function loadedBy(node: SyntaxNode, { symbol }: Scope, text: string): LoadedPart[] {
  const left = childOf(node, 'left');
  const value = childOf(node, 'right');
  if (left === undefined || !/^(identifier|attribute)$/.test(left.type) || value?.type !== 'call')
    return [];
  const given = namedChildren(childOf(value, 'arguments') ?? value);
  const part = given
    .map((one) => textOf(one, text).replace(/\s/g, ''))
    .find((one) => PART.test(one));
  if (part === undefined) return [];
  const written = textOf(value, text).replace(/\s/g, '');
  const isTrain = /train=True|["']train["']/.test(part);
  return [
    {
      ...{ name: textOf(left, text), part: isTrain ? 'train' : 'held-out', written },
      ...{ line: node.line, symbol },
    },
  ];
}

const PART =
  /^train=(True|False)$|^(split|subset|partition|mode|image_set)=["'](train|test|val|valid|validation|dev)["']$|^["'](train|test|val|valid|validation|dev)["']$/;

/** The variables among a call's arguments, in order. */
function variablesGiven(call: SyntaxNode, text: string): string[] {
  const given = namedChildren(childOf(call, 'arguments') ?? call);
  return given.flatMap((one) => {
    const value = one.type === 'keyword_argument' ? childOf(one, 'value') : one;
    return value && /^(identifier|attribute)$/.test(value.type) ? [textOf(value, text)] : [];
  });
}
