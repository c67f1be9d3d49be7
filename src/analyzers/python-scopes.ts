import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Where in a Python file a node stands. */
export interface Scope {
  /** The enclosing definition, qualified: `Trainer.fit`; empty at module level. */
  readonly symbol: string;
  readonly level: 'module' | 'class' | 'function';
  /** Inside a try that catches ImportError, or its handlers. */
  readonly catchesImport: boolean;
  /** Inside a try that catches AttributeError. */
  readonly catchesAttribute: boolean;
  /** Inside a try that catches NameError. */
  readonly catchesName: boolean;
  /** Inside a try that catches TypeError, or a `with` that expects an error, as tests do. */
  readonly catchesType: boolean;
  /** In a branch or a loop of its function or module. */
  readonly isConditional: boolean;
  /** Inside `if TYPE_CHECKING:`. */
  readonly typing: boolean;
  /** The nearest enclosing class, if the node stands directly in one. */
  readonly owner: SyntaxNode | undefined;
}

const MODULE_SCOPE: Scope = {
  symbol: '',
  level: 'module',
  catchesImport: false,
  catchesAttribute: false,
  catchesName: false,
  catchesType: false,
  isConditional: false,
  typing: false,
  owner: undefined,
};

/** Every node of a file with its scope, in the order of the text. A definition stands in the scope around it. */
export function* scopedNodes(root: SyntaxNode, text: string): Generator<[SyntaxNode, Scope]> {
  const stack: [SyntaxNode, Scope][] = [[root, MODULE_SCOPE]];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    yield entry;
    const [node, scope] = entry;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) stack.push([child, scopeOf(child, node, scope, text)]);
    }
  }
}

/** A name within its enclosing definition. */
export function qualify(scope: Scope, name: string): string {
  return scope.symbol === '' ? name : `${scope.symbol}.${name}`;
}

/** The text of a node. */
export function textOf(node: SyntaxNode | undefined, text: string): string {
  return node === undefined ? '' : text.slice(node.start, node.end);
}

/** The last name of what is called: `raises` of `pytest.raises(…)`. */
export function calledName(call: SyntaxNode, text: string): string {
  const callee = childOf(call, 'function');
  const last = callee?.type === 'attribute' ? childOf(callee, 'attribute') : callee;
  return last?.type === 'identifier' ? textOf(last, text) : '';
}

function scopeOf(child: SyntaxNode, parent: SyntaxNode, scope: Scope, text: string): Scope {
  switch (parent.type) {
    case 'function_definition':
    case 'class_definition': {
      if (child.field !== 'body') return scope;
      const isClass = parent.type === 'class_definition';
      return {
        ...scope,
        symbol: qualify(scope, textOf(childOf(parent, 'name'), text)),
        level: isClass ? 'class' : 'function',
        isConditional: false,
        owner: isClass ? parent : undefined,
      };
    }
    case 'try_statement':
      return tryScope(parent, scope, text);
    case 'call':
      // `assertRaises(TypeError, lambda: f())`
      return child.field === 'arguments' && /[rR]aises/.test(calledName(parent, text))
        ? expectingErrors(scope, textOf(parent, text))
        : scope;
    case 'with_statement':
      return child.field === 'body' && /\b(\w*[rR]aises\w*|suppress)\(/.test(headOf(parent, text))
        ? expectingErrors(scope, headOf(parent, text))
        : scope;
    case 'for_statement':
    case 'while_statement':
    case 'elif_clause':
    case 'else_clause':
    case 'case_clause':
      return { ...scope, isConditional: true };
    case 'if_statement': {
      if (child.field !== 'consequence') return scope;
      const condition = conditionOf(parent, text);
      return {
        ...scope,
        isConditional: scope.isConditional || !/\b__name__\b/.test(condition),
        typing: scope.typing || /\bTYPE_CHECKING\b/.test(condition),
      };
    }
    default:
      return scope;
  }
}

/** Errors of which a call with wrong arguments is none. */
const OTHER_ERRORS =
  /\b(?:\w*[rR]aises\w*|suppress)\(\s*(?:ValueError|KeyError|IndexError|LookupError|RuntimeError|OSError|FileNotFoundError|ZeroDivisionError|AssertionError|NotImplementedError|SystemExit)\s*[,)]/;

/** The scope of what is expected to fail as `expectation` says: a call fits all the same where another error is waited for. */
function expectingErrors(scope: Scope, expectation: string): Scope {
  return {
    ...scope,
    catchesImport: true,
    catchesAttribute: true,
    catchesName: true,
    catchesType: scope.catchesType || !OTHER_ERRORS.test(expectation),
  };
}

function headOf(statement: SyntaxNode, text: string): string {
  return text.slice(statement.start, childOf(statement, 'body')?.start ?? statement.end);
}

function conditionOf(statement: SyntaxNode, text: string): string {
  return textOf(childOf(statement, 'condition'), text);
}

function tryScope(statement: SyntaxNode, scope: Scope, text: string): Scope {
  const caught = statement.children
    .filter((clause) => clause.type === 'except_clause')
    .map((clause) => textOf(namedChildren(clause).find(isNotBlock), text));
  const catches = (name: RegExp): boolean =>
    caught.some((classes) => classes === '' || name.test(classes));
  return {
    ...scope,
    catchesImport:
      scope.catchesImport || catches(/\b(ImportError|ModuleNotFoundError|(Base)?Exception)\b/),
    catchesAttribute: scope.catchesAttribute || catches(/\b(AttributeError|(Base)?Exception)\b/),
    catchesName: scope.catchesName || catches(/\bNameError\b/),
    catchesType: scope.catchesType || catches(/\bTypeError\b/),
  };
}

function isNotBlock(node: SyntaxNode): boolean {
  return node.type !== 'block';
}
