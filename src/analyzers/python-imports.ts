import type { ImportUse } from '../diagnostics/parsed-file.ts';
import type { Import } from '../domain/interface.ts';
import { type Scope, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, type SyntaxNode } from './syntax-tree.ts';

/** Every import of a file, wherever it stands. */
export function readImports(root: SyntaxNode, text: string): ImportUse[] {
  return [...scopedNodes(root, text)].flatMap(([node, scope]) => importsOf(node, scope, text));
}

/** An import as the file's interface states it. */
export function toImport({ module, level, names, place }: ImportUse): Import {
  return {
    module,
    level,
    names: names === null ? null : names.map(({ name, alias }) => ({ name, alias })),
    guarded: place !== 'module',
  };
}

/** The names that an import binds in its scope; `*` for a star. */
export function boundNames({ module, names, alias }: ImportUse): string[] {
  if (names !== null) return names.map((imported) => imported.alias ?? imported.name);
  return [alias ?? module.split('.')[0] ?? module];
}

function importsOf(node: SyntaxNode, scope: Scope, text: string): ImportUse[] {
  const common = { line: node.line, symbol: scope.symbol, place: placeOf(scope) };
  if (node.type === 'import_statement') {
    return importedNames(node, text).map(({ name, alias }) => ({
      ...common,
      module: name,
      level: 0,
      names: null,
      alias,
    }));
  }
  if (node.type !== 'import_from_statement') return [];
  const source = childOf(node, 'module_name');
  const [, dots = '', module = ''] = /^([.\s]*)(.*)$/s.exec(textOf(source, text)) ?? [];
  const isStar = node.children.some((child) => child.type === 'wildcard_import');
  const names = isStar ? [{ name: '*', alias: null }] : importedNames(node, text);
  const level = dots.replace(/\s/g, '').length;
  return [{ ...common, module: withoutSpaces(module), level, names, alias: null }];
}

function importedNames(
  statement: SyntaxNode,
  text: string,
): { readonly name: string; readonly alias: string | null }[] {
  return statement.children
    .filter((child) => child.field === 'name')
    .map((child) =>
      child.type === 'aliased_import'
        ? {
            name: withoutSpaces(textOf(childOf(child, 'name'), text)),
            alias: textOf(childOf(child, 'alias'), text),
          }
        : { name: withoutSpaces(textOf(child, text)), alias: null },
    );
}

function placeOf({ typing, catchesImport, level }: Scope): ImportUse['place'] {
  if (typing) return 'typing';
  if (catchesImport) return 'guarded';
  return level === 'function' ? 'function' : 'module';
}

function withoutSpaces(name: string): string {
  return name.replace(/\s/g, '');
}
