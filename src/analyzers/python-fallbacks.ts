import type { FileFault } from '../diagnostics/parsed-file.ts';
import { type Scope, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Words by which a handler admits that what it makes is not the real thing. */
const STAND_IN = /dummy|synthetic|fake|mock|stub|placeholder|stand[-_ ]?in|made[-_ ]?up/i;
/** Makes numbers up. */
const RANDOM =
  /\b(torch\.(randn?|randint|rand_like|randn_like)|(np|numpy|jnp)\.random\.|random\.(random|uniform|gauss|randint|choice))\b/;
/** Loads data or trains: what may fail here is what the paper is about. */
export const WORK =
  /\b(load_dataset|load_data|from_pretrained|read_csv|read_parquet|train|fit|evaluate|backward|train_step|run_experiment)\s*\(/;

/** Handlers that hide a failure: stand-ins for packages, made-up data, and errors around loading or training ignored. */
export function readFallbacks(root: SyntaxNode, text: string): FileFault[] {
  const faults: FileFault[] = [];
  for (const [node, scope] of scopedNodes(root, text)) {
    if (node.type !== 'try_statement' || scope.typing) continue;
    for (const clause of node.children.filter(({ type }) => type === 'except_clause')) {
      const reason = reasonOf(node, clause, text);
      if (reason !== undefined) faults.push(fault(clause, scope, reason));
    }
  }
  return faults;
}

function reasonOf(statement: SyntaxNode, clause: SyntaxNode, text: string): string | undefined {
  const block = clause.children.find(({ type }) => type === 'block');
  if (block === undefined || raises(block, text)) return undefined;
  const caught = textOf(
    namedChildren(clause).find(({ type }) => type !== 'block'),
    text,
  );
  const tried = textOf(childOf(statement, 'body'), text);
  const handler = textOf(block, text);
  if (
    /\b(ImportError|ModuleNotFoundError)\b/.test(caught) &&
    (definesStandIn(block, text) || makesUp(handler))
  )
    return 'puts a stand-in in the place of a package that is not installed';
  if (caught !== '' && !/\b(Base)?Exception\b/.test(caught) && !/Error/.test(caught))
    return undefined;
  if (makesUp(handler) && WORK.test(tried))
    return 'makes data up when the real ones cannot be loaded';
  const isBlanket = caught === '' || /^(Base)?Exception\b/.test(caught);
  const isIgnored = namedChildren(block).every(({ type }) => type === 'pass_statement');
  return isBlanket && isIgnored && WORK.test(tried)
    ? 'ignores every error of loading or training'
    : undefined;
}

function raises(block: SyntaxNode, text: string): boolean {
  return [...descendants(block)].some(
    (node) =>
      node.type === 'raise_statement' ||
      (node.type === 'call' && /^(sys\.exit|exit|quit|os\._exit)\b/.test(textOf(node, text))),
  );
}

/** A class or function with a body of its own, under a name that says what it is. */
function definesStandIn(block: SyntaxNode, text: string): boolean {
  return namedChildren(block).some(
    (node) => /^(class|function)_definition$/.test(node.type) && STAND_IN.test(textOf(node, text)),
  );
}

/** Whether code draws random numbers. */
export function makesNumbersUp(code: string): boolean {
  return RANDOM.test(code.replace(/#.*$/gm, ''));
}

function makesUp(handler: string): boolean {
  const code = handler.replace(/#.*$/gm, '');
  return RANDOM.test(code) || /\b\w*(synthetic|dummy|fake)\w*\s*\(/i.test(code);
}

function fault({ line }: SyntaxNode, { symbol }: Scope, reason: string): FileFault {
  return {
    kind: 'silent-fallback',
    symbol,
    line,
    message: `the \`except\` ${symbol === '' ? '' : `of \`${symbol}\` `}(line ${line}) ${reason}`,
    remedy: 'Let it fail, with a message that says what to install or to download.',
  };
}
