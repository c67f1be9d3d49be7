import type { Leak } from '../diagnostics/trace-facts.ts';
import { readOverlaps } from './python-overlaps.ts';
import { parameterNames } from './python-scope-owners.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const TRAIN = /(^|_)(train|trn)(?=_|\d|$)|(^|_)training(?=_)/i;
const HELD_OUT =
  /(^|_)(test|val|valid|validation|eval|evaluation|dev|heldout|held_out|holdout)(?=_|\d|$)/i;
const MEASURED =
  /(^|_)(acc|accuracy|loss|error|err|score|scores|[sm]?mape|mase|elbo|r?mse|mae|auc|f1|ppl|perplexity|nll|metrics?|bleu|rouge|bound|r2|iou|recall|precision)(?=_|\d|$)/i;
const DATA =
  /(^|_)(loader|data|dataset|set|iter|batches|images|labels|windows|split|features|targets|x|y)\d*$|^(test|val|valid|dev)(_x|_y)?$/i;
/** Words of an expression that makes a part of its own. */
const PARTS =
  /split|sample|subset|select|choice|perm|hold|take|skip|filter|shuffle|chunk|crop|\[[^\]]*:|\brange\(|%|\brng\b|random|seed/i;
/** What is learned: it comes from the training part, as it should. */
const LEARNED =
  /(model|net|network|probe|weights?|coder|params?|parameters|state|opt|optimizer|clf|classifier|estimator|agent|policy|learner|head|regressor|scaler|mean|std|stats|vocab|tokenizer|encoder|trainer)$/i;
const MAX_STEPS = 3;

interface Frame {
  readonly text: string;
  /** What the function gives its variables. */
  readonly given: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** The parameters of the file's functions. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
}

/** What a file calls measured on data of its own, or keeps as such data, and takes from the training part. */
export function readLeaks(scopes: ReadonlyMap<SyntaxNode, Scope>, text: string): Leak[] {
  if (!/train|trn/i.test(text)) return [];
  const functions = [...scopes.keys()].filter(({ type }) => type === 'function_definition');
  const parameters = new Map(
    functions.map((node) => [textOf(childOf(node, 'name'), text), parameterNames(node, text)]),
  );
  return [...scopes.keys()]
    .filter(({ type }) => /^(function_definition|module)$/.test(type))
    .flatMap((node) => {
      const inner = [
        ...descendants(
          node,
          (one) => one === node || !/^(function|class)_definition$/.test(one.type),
        ),
      ];
      const frame = { text, given: givenIn(inner, text), parameters };
      const symbol = node.type === 'module' ? '' : textOf(childOf(node, 'name'), text);
      return [
        ...inner.flatMap((one) => leakAt(one, frame)),
        ...hookLeak(node, frame),
        ...unreadPart(inner, text),
        ...readOverlaps(inner, text),
      ].map((leak) => ({ ...leak, symbol }));
    });
}

type Found = Omit<Leak, 'symbol'>;

function givenIn(nodes: readonly SyntaxNode[], text: string): Map<string, SyntaxNode[]> {
  const given = new Map<string, SyntaxNode[]>();
  const add = (name: string, value: SyntaxNode): void => {
    given.set(name, [...(given.get(name) ?? []), value]);
  };
  for (const node of nodes) {
    if (!/^(assignment|augmented_assignment|for_statement|for_in_clause)$/.test(node.type))
      continue;
    for (const [name, value] of targetsOf(node, text)) add(name, value);
  }
  return given;
}

/** The names that a statement binds, each with its own value where they stand side by side. */
function targetsOf(node: SyntaxNode, text: string): [string, SyntaxNode][] {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left === undefined || right === undefined) return [];
  if (!/^(pattern_list|tuple_pattern|tuple)$/.test(left.type)) return [[textOf(left, text), right]];
  const names = namedChildren(left);
  const values = /^(expression_list|tuple)$/.test(right.type) ? namedChildren(right) : [];
  return names.map((name, index) => [
    textOf(name, text),
    values.length === names.length ? (values[index] ?? right) : right,
  ]);
}

function leakAt(node: SyntaxNode, frame: Frame): Found[] {
  const { text } = frame;
  switch (node.type) {
    case 'assignment':
      return targetsOf(node, text).flatMap(([target, value]) => {
        const name = /(\w+)$/.exec(target)?.[1] ?? '';
        return claimed(name, value, frame) ? [{ name, line: node.line }] : [];
      });
    case 'keyword_argument':
    case 'pair': {
      const key = childOf(node, node.type === 'pair' ? 'key' : 'name');
      const name = key && (node.type === 'pair' ? literalString(key, text) : textOf(key, text));
      const value = childOf(node, 'value');
      return name !== undefined && value && MEASURED.test(name) && claimed(name, value, frame)
        ? [{ name, line: node.line }]
        : [];
    }
    case 'tuple':
    case 'list':
      return twiceIn(node, text);
    case 'argument_list':
    case 'expression_list':
      return overlapIn(node, text);
    default:
      return [];
  }
}

/** Whether a name says that it holds held-out data, or a measure on them, and its value is of the training part alone. */
function claimed(name: string, value: SyntaxNode, frame: Frame): boolean {
  if (!HELD_OUT.test(name) || TRAIN.test(name)) return false;
  const isMeasure = MEASURED.test(name);
  if (!isMeasure && !DATA.test(name)) return false;
  const source = textOf(value, frame.text);
  if (!isMeasure && PARTS.test(source)) return false;
  // Data that are taken apart later are not what they are made of.
  if (
    !isMeasure &&
    new RegExp(`(Subset|random_split|select|split)\\(\\s*(self\\.)?${name}\\b|\\b${name}\\[`).test(
      frame.text,
    )
  )
    return false;
  const parts = partsOf(value, frame, new Set([name]), 0);
  return parts.has('train') && !parts.has('held-out') && !parts.has('any');
}

type Part = 'train' | 'held-out' | 'any';

/** The parts of the data that an expression is made of, by the names in it and what they were given. */
function partsOf(
  node: SyntaxNode,
  frame: Frame,
  seen: ReadonlySet<string>,
  step: number,
): Set<Part> {
  const { text } = frame;
  const found = new Set<Part>();
  const isLearning = (one: SyntaxNode): boolean =>
    one.type === 'call' && /(^|_)(fit|train)(_|$)/.test(calledName(one, text));
  if (isLearning(node)) return found;
  for (const one of descendants(node, (inner) => !isLearning(inner) && inner.type !== 'lambda')) {
    if (one.type === 'string') {
      const name = literalString(one, text) ?? '';
      if (/^(train|training)$/.test(name)) found.add('train');
      else if (HELD_OUT.test(name)) found.add('held-out');
    }
    if (one.type === 'call') for (const part of flagged(one, frame)) found.add(part);
    if (one.type === 'keyword_argument' && textOf(childOf(one, 'name'), text) === 'train')
      found.add(/True/.test(textOf(childOf(one, 'value'), text)) ? 'train' : 'held-out');
    if (one.type !== 'identifier' || /^(function|name)$/.test(one.field ?? '')) continue;
    const name = textOf(one, text);
    if (HELD_OUT.test(name)) found.add('held-out');
    else if (TRAIN.test(name)) found.add('train');
    else if (!LEARNED.test(name) && one.field !== 'attribute' && !seen.has(name)) {
      const given = frame.given.get(name) ?? [];
      if (step >= MAX_STEPS) found.add('any');
      else
        for (const value of given)
          for (const part of partsOf(value, frame, new Set([...seen, name]), step + 1))
            found.add(part);
    }
  }
  return found;
}

/** `loader(cfg, True)`, where the file's function calls that parameter `train`. */
function flagged(call: SyntaxNode, { text, parameters }: Frame): Part[] {
  const names = parameters.get(calledName(call, text)) ?? [];
  const own = /^(self|cls)$/.test(names[0] ?? '') ? names.slice(1) : names;
  const given = namedChildren(childOf(call, 'arguments') ?? call);
  return given.flatMap((one, index): Part[] => {
    if (!/^(is_)?train(ing)?$/.test(own[index] ?? '')) return [];
    if (one.type === 'true') return ['train'];
    return one.type === 'false' ? ['held-out'] : ['any'];
  });
}

/** `def test_dataloader(self): return self._loader(self.train_set)` */
function hookLeak(node: SyntaxNode, frame: Frame): Found[] {
  const name = textOf(childOf(node, 'name'), frame.text);
  if (!/^(test|val|validation)_?(data)?_?(loader|dataloader|set|dataset|data)$/.test(name))
    return [];
  const returned = [...descendants(node)].filter(({ type }) => type === 'return_statement');
  const [only] = returned;
  const value = only && namedChildren(only)[0];
  if (returned.length !== 1 || value === undefined || PARTS.test(textOf(value, frame.text)))
    return [];
  const parts = partsOf(value, frame, new Set(), 0);
  return parts.has('train') && parts.size === 1 ? [{ name, line: value.line }] : [];
}

/** `(parts.train, parts.val, parts.train)` */
function twiceIn(node: SyntaxNode, text: string): Found[] {
  const items = namedChildren(node);
  const names = items.map((item) =>
    /^(identifier|attribute)$/.test(item.type) ? textOf(item, text) : '',
  );
  const last = (name: string): string => name.split('.').at(-1) ?? name;
  const isParts =
    names.length > 2 && names.every((name) => TRAIN.test(last(name)) || HELD_OUT.test(last(name)));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return isParts && twice !== undefined && TRAIN.test(last(twice))
    ? [{ name: last(twice), line: node.line }]
    : [];
}

/** `Parts(x[:b], x[a:b], x[b:])`: the second part is in the first. */
function overlapIn(node: SyntaxNode, text: string): Found[] {
  const slices = namedChildren(node).map((item) =>
    /^([\w.]+)\[([^:[\],]*):([^:[\],]*)\]$/.exec(textOf(item, text).replace(/\s/g, '')),
  );
  const [one, two] = slices;
  const [, base, from = '', to = ''] = one ?? [];
  const [, other, start = '', end = ''] = two ?? [];
  if (base === undefined || base !== other || to === '' || (from !== '' && from !== '0')) return [];
  return (to === end && start !== to) || (start === '' && end === to)
    ? [{ name: base, line: node.line }]
    : [];
}

/** A held-out part that comes beside the training part and is not looked at, where something is measured. */
function unreadPart(nodes: readonly SyntaxNode[], text: string): Found[] {
  const measures = nodes.some(
    (node) =>
      /^(string_content|identifier)$/.test(node.type) &&
      MEASURED.test(textOf(node, text)) &&
      /acc|score|error|f1|auc|bleu|rouge/i.test(textOf(node, text)) &&
      !TRAIN.test(textOf(node, text)),
  );
  if (!measures) return [];
  return nodes.flatMap((node) => {
    const left = /^(assignment|for_statement)$/.test(node.type) ? childOf(node, 'left') : undefined;
    if (left === undefined || !/^(pattern_list|tuple_pattern)$/.test(left.type)) return [];
    const names = namedChildren(left).map((one) => textOf(one, text));
    const held = names.filter((name) => HELD_OUT.test(name) && !TRAIN.test(name));
    const [first] = held;
    if (first === undefined || !names.some((name) => TRAIN.test(name))) return [];
    const isRead = nodes.some(
      (one) =>
        one.type === 'identifier' &&
        held.includes(textOf(one, text)) &&
        (one.start < left.start || one.end > left.end),
    );
    return isRead ? [] : [{ name: first, line: node.line }];
  });
}
