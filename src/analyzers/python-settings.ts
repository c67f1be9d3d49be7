import { isUnmistakable } from '../diagnostics/package-names.ts';
import type { ImportUse } from '../diagnostics/parsed-file.ts';
import {
  EMPTY_SETTINGS,
  type SettingsClass,
  type SettingsFacts,
} from '../diagnostics/settings-facts.ts';
import { STANDARD_LIBRARY } from '../diagnostics/standard-library.ts';
import { keepLive } from './live-flow.ts';
import { literalValue } from './literal-value.ts';
import { scopedNodes, textOf } from './python-scopes.ts';
import { readSelectors } from './python-selectors.ts';
import { readValues } from './python-values.ts';
import { readWords } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const WRITES =
  /\.(to_csv|to_json|to_parquet|to_latex|write_text|write_bytes|savefig|writerow|writerows|writeheader|write|savetxt|dump|imwrite|write_csv|write_json)\(|\b(savez(_compressed)?|savetxt|save|dump|safe_dump|SummaryWriter|CSVLogger|FileHandler)\(|open\([^)]*["'][wax]b?\+?["']|\.open\(\s*["'][wax]/;

const LOOKS_UP =
  /\bglobals\(\)|\bimport_module\(|\b__import__\(|__name__\]|\.__name__\b|__subclasses__/;

/** Whether an attribute of a computed name is taken from anything but a library. */
function getsComputed(text: string, imports: readonly ImportUse[]): boolean {
  const libraries = new Set(
    imports
      .filter(({ module, level }) => level === 0 && isLibrary(module.split('.')[0] ?? ''))
      .flatMap(({ module, names, alias }) =>
        names === null
          ? [alias ?? module.split('.')[0] ?? '']
          : names.map((one) => one.alias ?? one.name),
      ),
  );
  const taken = text.matchAll(/\bgetattr\(\s*(\w+)[\w.]*,\s*[^"'\s]/g);
  return [...taken].some(([, from = '']) => !libraries.has(from));
}

function isLibrary(module: string): boolean {
  return STANDARD_LIBRARY.has(module) || isUnmistakable(module);
}

/** What a Python file says of settings, names and results. */
export function readPythonSettings(
  root: SyntaxNode,
  text: string,
  { names, imports }: { readonly names: readonly string[]; readonly imports: readonly ImportUse[] },
): SettingsFacts {
  const { flow, handled } = readValues(root, text);
  return {
    ...EMPTY_SETTINGS,
    ...readWords(root, text, handled),
    selectors: readSelectors(root, text).filter(({ names }) => names.length > 0),
    ignoresCase: /\.(lower|upper|casefold|title|capitalize)\(\)|str\.lower\b/.test(text),
    replacesSeparators: /\.(replace|translate|split)\(\s*["'][-_ ]["']|re\.sub\(/.test(text),
    looksUpNames: LOOKS_UP.test(text) || getsComputed(text, imports),
    writes: WRITES.test(text),
    flow: keepLive(flow, names, imports),
    classes: readClasses(root, text),
  };
}

function readClasses(root: SyntaxNode, text: string): SettingsClass[] {
  const classes: SettingsClass[] = [];
  let decorators = '';
  for (const [node, scope] of scopedNodes(root, text)) {
    if (node.type === 'decorated_definition')
      decorators = textOf(node, text).slice(
        0,
        (childOf(node, 'definition')?.start ?? 0) - node.start,
      );
    if (node.type === 'class_definition' && scope.level === 'module')
      classes.push(readClass(node, text, decorators));
    if (/_definition$/.test(node.type) && node.type !== 'decorated_definition') decorators = '';
  }
  return classes;
}

function readClass(node: SyntaxNode, text: string, decorators: string): SettingsClass {
  const body = childOf(node, 'body') ?? node;
  const superclasses = childOf(node, 'superclasses');
  const fields: SettingsClass['fields'][number][] = [];
  const members = new Set<string>();
  for (const [each, scope] of scopedNodes(body, text)) {
    const name = textOf(childOf(each, 'name'), text);
    if (/^(function|class)_definition$/.test(each.type) && scope.symbol === '') members.add(name);
    if (each.type !== 'assignment') continue;
    const left = childOf(each, 'left');
    if (left?.type === 'attribute' && /^self\./.test(textOf(left, text)))
      members.add(textOf(left, text).slice('self.'.length));
    if (left?.type !== 'identifier' || scope.symbol !== '') continue;
    const type = textOf(childOf(each, 'type'), text);
    if (type === '') members.add(textOf(left, text));
    else {
      const value = literalValue(childOf(each, 'right'), text) ?? null;
      fields.push({ name: textOf(left, text), type, line: each.line, value });
    }
  }
  const isPlain = (superclass: SyntaxNode): boolean =>
    /^(identifier|attribute)$/.test(superclass.type);
  const bases = superclasses === undefined ? [] : namedChildren(superclasses);
  return {
    name: textOf(childOf(node, 'name'), text),
    line: node.line,
    isDataclass: /@\s*(dataclasses\.)?dataclass\b/.test(decorators),
    bases: bases.map((base) => textOf(base, text)).filter((name) => name !== 'object'),
    fields,
    members: [...members],
    isDynamic:
      !bases.every(isPlain) ||
      hasDynamics(body, text) ||
      /@(?!\s*(dataclasses\.)?dataclass\b)/.test(decorators),
  };
}

function hasDynamics(body: SyntaxNode, text: string): boolean {
  const source = textOf(body, text);
  if (/\b(__getattr__|__getattribute__|__slots__|setattr\(|__dict__|InitVar)\b/.test(source))
    return true;
  return [...descendants(body)].some(
    (node) =>
      node.type === 'function_definition' &&
      /^(__init__|__new__)$/.test(textOf(childOf(node, 'name'), text)),
  );
}
