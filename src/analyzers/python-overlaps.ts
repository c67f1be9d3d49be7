import type { Leak } from '../diagnostics/trace-facts.ts';
import { calledName, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const TRAIN = /(^|_)(train|trn|training)(?=_|\d|$)/i;
const TEST = /(^|_)(test|heldout|held_out|holdout)(?=_|\d|$)/i;
const HELD_OUT = /(^|_)(test|val|valid|validation|eval|dev|heldout|held_out|holdout)(?=_|\d|$)/i;
/** Calls that put parts of the data together. */
const JOINS =
  /^(concat|concatenate|vstack|hstack|row_stack|cat|append|chain|ConcatDataset|concatenate_datasets)$/;
/** What may see all data, for it does not learn their labels. */
const PREPARES =
  /(scaler|encoder|vectori[sz]er|tokeni[sz]er|normali[sz]er|imputer|pca|vocab|transformer|binarizer)$/i;

type Found = Omit<Leak, 'symbol'>;

/** Test data that a function puts together with training data and fits to, and masks of held-out data that hold the training part as well. */
export function readOverlaps(nodes: readonly SyntaxNode[], text: string): Found[] {
  return [...fittedToTest(nodes, text), ...complements(nodes, text)];
}

/** `both = np.concatenate([train_x, test_x])` and `model.fit(both, labels)` */
function fittedToTest(nodes: readonly SyntaxNode[], text: string): Found[] {
  const joined = new Set<string>();
  const isJoined = (node: SyntaxNode): boolean =>
    [...descendants(node)].some(
      (one) => (one.type === 'identifier' && joined.has(textOf(one, text))) || joinsTest(one, text),
    );
  const found: Found[] = [];
  for (const node of nodes) {
    const left = node.type === 'assignment' ? childOf(node, 'left') : undefined;
    const right = childOf(node, 'right');
    if (left !== undefined && right !== undefined && isJoined(right))
      for (const one of descendants(left))
        if (one.type === 'identifier') joined.add(textOf(one, text));
    if (node.type !== 'call' || !/^(fit|partial_fit)$/.test(calledName(node, text))) continue;
    const given = namedChildren(childOf(node, 'arguments') ?? node);
    const [data, labels] = given;
    const receiver = textOf(childOf(childOf(node, 'function') ?? node, 'object'), text);
    // What is fitted without labels may see what it is measured on.
    if (data === undefined || labels === undefined || labels.type === 'keyword_argument') continue;
    if (!PREPARES.test(receiver) && isJoined(data) && isJoined(labels))
      found.push({ name: receiver.split('.').at(-1) ?? receiver, line: node.line });
  }
  return found;
}

function joinsTest(node: SyntaxNode, text: string): boolean {
  if (node.type !== 'call' || !JOINS.test(calledName(node, text))) return false;
  const names = [...descendants(childOf(node, 'arguments') ?? node)]
    .filter(({ type }) => type === 'identifier')
    .map((one) => textOf(one, text));
  return names.some((name) => TEST.test(name)) && names.some((name) => TRAIN.test(name));
}

/** `test[~val] = True`, where `train` is a mask of its own. */
function complements(nodes: readonly SyntaxNode[], text: string): Found[] {
  const assigned = nodes.flatMap((node) => {
    const left = node.type === 'assignment' ? childOf(node, 'left') : undefined;
    const right = childOf(node, 'right');
    if (left === undefined || right === undefined) return [];
    const name = textOf(left.type === 'subscript' ? childOf(left, 'value') : left, text);
    const chosen = left.type === 'subscript' ? childOf(left, 'subscript') : right;
    return [{ name: name.split('.').at(-1) ?? name, chosen: textOf(chosen, text), node }];
  });
  const hasTrain = assigned.some(({ name }) => TRAIN.test(name));
  return assigned.flatMap(({ name, chosen, node }) => {
    const other = /^(?:~\s*|np\.logical_not\(|torch\.logical_not\()\(?([\w.]+)\)*$/.exec(
      chosen,
    )?.[1];
    const part = other?.split('.').at(-1) ?? '';
    const isOther = HELD_OUT.test(part) && part !== name;
    return hasTrain && HELD_OUT.test(name) && !TRAIN.test(name) && isOther
      ? [{ name, line: node.line }]
      : [];
  });
}
