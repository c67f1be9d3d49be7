import type { NameScope } from './python-name-scopes.ts';
import { textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Calls at module level that only prepare what comes. */
const PREPARES =
  /^(logging\.\w+|warnings\.\w+|sys\.path\.\w+|os\.environ\.\w+|torch\.(manual_seed|set_\w+)|np\.random\.seed|numpy\.random\.seed|random\.seed|matplotlib\.use|plt\.(style\.use|switch_backend)|sns\.set\w*|load_dotenv|np\.(seterr|set_printoptions)|\w*logger\.\w+|sys\.stdout\.reconfigure)$/;
const DEFINES =
  /^(import_statement|import_from_statement|future_import_statement|function_definition|class_definition|decorated_definition|pass_statement|global_statement|type_alias_statement|delete_statement)$/;

/** Whether running a file as a script does anything besides defining names. Where in doubt, it does. */
export function actsWhenRun(block: SyntaxNode, module: NameScope, text: string): boolean {
  return namedChildren(block).some((statement) => {
    if (DEFINES.test(statement.type)) return false;
    if (statement.type === 'expression_statement')
      return namedChildren(statement).some((node) => expressionActs(node, module, text));
    if (!/^(if|try)_statement$/.test(statement.type)) return true;
    return [...descendants(statement, ({ type }) => type !== 'block')]
      .filter(({ type }) => type === 'block')
      .some((inner) => actsWhenRun(inner, module, text));
  });
}

function expressionActs(node: SyntaxNode, module: NameScope, text: string): boolean {
  if (/^(string|concatenated_string|ellipsis|comment)$/.test(node.type)) return false;
  if (node.type === 'call') return !PREPARES.test(textOf(childOf(node, 'function'), text));
  if (node.type !== 'assignment') return true;
  // A value made by a library is a constant; one made by a function of this file may be the whole program.
  return [...descendants(node, ({ type }) => type !== 'lambda')].some((inner) => {
    if (inner.type !== 'call') return false;
    const bindings = module.bindings.get(textOf(childOf(inner, 'function'), text)) ?? [];
    return bindings.some(({ kind }) => kind === 'function');
  });
}
