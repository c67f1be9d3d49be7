import type { LastResort, TraceFacts } from '../diagnostics/trace-facts.ts';
import { makesNumbersUp, WORK } from './python-fallbacks.ts';
import type { NamedTree } from './python-references.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Reads or takes in anything: what such a function returns is not made up alone. */
const TAKES_IN =
  /\b(open|load\w*|read\w*|from_pretrained|fetch\w*|download\w*|urlopen|get|loadtxt|genfromtxt)\s*\(|\bnn\.Module\b/;
const IS_ABSENT =
  /^\(?not\b.*\b(exists|is_file|is_dir|isfile|isdir|access)\s*\(|^\(?not\s+(HAS|HAVE)_|\bis None\)?$/;
const WRITES = /\b(save\w*|dump|to_csv|write\w*|savez)\s*\(|\.(save|dump|to_csv|write\w*)\(/;

/** Functions that make data up, and calls in branches that are taken where the real thing is not there. */
export function readResorts(
  { root, text }: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): Pick<TraceFacts, 'makers' | 'lastResorts'> {
  const makers = namedChildren(root).flatMap((node) => {
    const source = node.type === 'function_definition' ? textOf(childOf(node, 'body'), text) : '';
    const isMaker = makesNumbersUp(source) && /\breturn\b/.test(source) && !TAKES_IN.test(source);
    return isMaker ? [textOf(childOf(node, 'name'), text)] : [];
  });
  const lastResorts = [...scopes].flatMap(([node, scope]) => {
    if (node.type === 'try_statement') return afterFailure(node, scope, text);
    return node.type === 'if_statement' ? whereAbsent(node, scope, text) : [];
  });
  return { makers, lastResorts };
}

function afterFailure(statement: SyntaxNode, scope: Scope, text: string): LastResort[] {
  if (!WORK.test(textOf(childOf(statement, 'body'), text))) return [];
  return statement.children
    .filter(({ type }) => type === 'except_clause')
    .flatMap((clause) => {
      const block = clause.children.find(({ type }) => type === 'block');
      return block === undefined ? [] : callsGiving(block, 'when loading fails', scope, text);
    });
}

/** Only where the real thing is read otherwise, and what is made is not kept as it. */
function whereAbsent(statement: SyntaxNode, scope: Scope, text: string): LastResort[] {
  const condition = textOf(childOf(statement, 'condition'), text);
  const block = childOf(statement, 'consequence');
  if (
    block === undefined ||
    !IS_ABSENT.test(condition) ||
    !/\b(exists|is_file|is_dir|isfile|isdir)\b/.test(condition)
  )
    return [];
  return callsGiving(block, 'when the file is not there', scope, text);
}

/** Calls of plain names whose values the branch returns or assigns. */
function callsGiving(
  block: SyntaxNode,
  when: string,
  { symbol }: Scope,
  text: string,
): LastResort[] {
  const source = textOf(block, text);
  if (/\braise\b|\bsys\.exit\b/.test(source) || WRITES.test(source)) return [];
  return namedChildren(block).flatMap((statement) => {
    const [inner] = namedChildren(statement);
    const value = inner?.type === 'assignment' ? childOf(inner, 'right') : inner;
    const gives = statement.type === 'return_statement' || inner?.type === 'assignment';
    if (!gives || value === undefined) return [];
    return [...descendants(value)].flatMap((node) => {
      const callee = node.type === 'call' ? textOf(childOf(node, 'function'), text) : '';
      return /^[\w.]+$/.test(callee) ? [{ callee, when, line: node.line, symbol }] : [];
    });
  });
}
