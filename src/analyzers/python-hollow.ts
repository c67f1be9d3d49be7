import type { HollowDefinition } from '../diagnostics/parsed-file.ts';
import { docstringOf } from './python-interface.ts';
import {
  type Candidate,
  isAllowedFunction,
  onlyPasses,
  readCandidates,
} from './hollow-allowances.ts';
import { qualify, type Scope, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Words by which a comment admits that the code is still to come. */
const UNFINISHED =
  /\b(todo|fixme|xxx|placeholder|stub(bed)?|not (yet )?implemented|to be implemented|implement(ation)? (this|me|later|here|goes|needed)|your code here|fill in)\b/i;
/** Words by which an empty body says that it is meant so. */
const INTENDED =
  /subclass|overrid|abstract|derived|inherit|no-?op\b|nothing|does not|do not|doesn't|not needed|not required|not support|unsupported|not available|intentional|by design|on purpose|optional hook|hook for/i;
const RAISES = 'only raises NotImplementedError';

/** Functions and classes of a Python file whose body does nothing although something is expected of it. */
export function readHollow(root: SyntaxNode, text: string, path: string): HollowDefinition[] {
  if (path.endsWith('.pyi')) return [];
  const inTests = /(^|\/)(tests?\/|test_[^/]*$|conftest\.py$)/.test(path);
  return readCandidates(root, text).flatMap((candidate) => {
    const { name, scope, node } = candidate;
    // Doubles in tests do nothing for good reasons; a test that does nothing has none.
    if (inTests && !(name.startsWith('test') && !scope.symbol.includes('.'))) return [];
    const reason = hollowReason(candidate);
    return reason === undefined ? [] : [describe(node, scope, qualify(scope, name), reason)];
  });
}

/** Every function whose body is empty, whether something is expected of it or not. */
export function readEmptyFunctions(
  scopes: ReadonlyMap<SyntaxNode, Scope>,
  text: string,
): readonly string[] {
  return [...scopes].flatMap(([node, scope]) =>
    node.type === 'function_definition' &&
    statementsOf(node).every((one) => isEmptyStatement(one, text))
      ? [qualify(scope, textOf(childOf(node, 'name'), text))]
      : [],
  );
}

function describe(
  { line }: SyntaxNode,
  { owner }: Scope,
  symbol: string,
  reason: string,
): HollowDefinition {
  return { symbol, line, reason, mayBeAbstract: owner !== undefined && reason === RAISES };
}

function hollowReason(candidate: Candidate): string | undefined {
  const { node } = candidate;
  if (node.type === 'function_definition')
    return isAllowedFunction(candidate)
      ? undefined
      : (unfinishedReason(candidate) ?? emptyReason(candidate));
  // An empty class may be a marker, so only one that calls itself unfinished counts.
  if (node.type === 'class_definition') return unfinishedReason(candidate);
  return undefined;
}

function unfinishedReason({ node, text }: Candidate): string | undefined {
  const statements = statementsOf(node);
  if (statements.length === 0 && docstringOf(childOf(node, 'body')) === undefined) return undefined;
  if (!UNFINISHED.test(commentsIn(node, text))) return undefined;
  return statements.every((one) => isTrivial(one, text))
    ? 'has a comment that says it is unfinished in place of its body'
    : undefined;
}

/** What a body does after its docstring. */
function statementsOf(node: SyntaxNode): SyntaxNode[] {
  const body = childOf(node, 'body');
  if (body === undefined) return [];
  return namedChildren(body).slice(docstringOf(body) === undefined ? 0 : 1);
}

function emptyReason({ node, text }: Candidate): string | undefined {
  const body = childOf(node, 'body');
  if (body === undefined) return undefined;
  const docstring = docstringOf(body);
  const comments = commentsIn(node, text);
  const excuse = `${comments} ${textOf(docstring, text)} ${raisedText(body, text)}`;
  const statements = statementsOf(node);
  // An empty block is a syntax error, which is reported as such.
  if (namedChildren(body).length === 0) return undefined;
  if (!statements.every((one) => isEmptyStatement(one, text)) || INTENDED.test(excuse))
    return undefined;
  if (comments.trim().length > 0 && onlyPasses(body)) return undefined;
  const last = statements.at(-1);
  if (last === undefined) return 'has only a docstring as its body';
  return last.type === 'raise_statement' ? RAISES : `has only "${textOf(last, text)}" as its body`;
}

function isEmptyStatement(statement: SyntaxNode, text: string): boolean {
  const source = textOf(statement, text);
  return source === 'pass' || source === '...' || /^raise NotImplementedError\b/.test(source);
}

/** Does nothing, or returns a constant: with a comment that says TODO it stands for missing code. */
function isTrivial(statement: SyntaxNode, text: string): boolean {
  return (
    isEmptyStatement(statement, text) ||
    /^return(\s+(None|True|False|-?[\d.]+|\[\]|\{\}|\(\)|""|''|dict\(\)|list\(\)))?$/.test(
      textOf(statement, text),
    )
  );
}

/** The comments of a definition's body, those on its own last line included. */
function commentsIn(node: SyntaxNode, text: string): string {
  const lineEnd = text.indexOf('\n', node.end);
  const trailing = text.slice(node.end, lineEnd < 0 ? text.length : lineEnd);
  const inside = [...descendants(node)].filter(({ type }) => type === 'comment');
  return [...inside.map((comment) => textOf(comment, text)), trailing].join('\n').replace(/#/g, '');
}

function raisedText(body: SyntaxNode, text: string): string {
  const raised = namedChildren(body).filter(({ type }) => type === 'raise_statement');
  return raised.map((statement) => textOf(statement, text)).join(' ');
}
