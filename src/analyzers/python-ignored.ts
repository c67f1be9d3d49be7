import type { FileFault } from '../diagnostics/parsed-file.ts';
import { isAllowedFunction, readCandidates, type Candidate } from './hollow-allowances.ts';
import { parameterName } from './python-idle.ts';
import { docstringOf } from './python-interface.ts';
import { qualify, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Bases that say nothing of the constructor's parameters. */
const PLAIN_BASES =
  /^\((\s*(object|nn\.Module|torch\.nn\.Module|Dataset|torch\.utils\.data\.Dataset)\s*,?)*\)$/;

const CLICK_COMMAND = /^@(click|\w+)\.command\(/;

/** Parameters that a function accepts and never reads, and flags that a script parses and never reads. */
export function readIgnoredInputs(root: SyntaxNode, text: string): FileFault[] {
  const candidates = readCandidates(root, text);
  const asValues = namesUsedAsValues(root, text);
  const shapes = countOf(candidates.map((candidate) => shapeOf(candidate)));
  const parameters = candidates
    .filter((each) => isDecidable(each, asValues) && shapes.get(shapeOf(each)) === 1)
    .flatMap(ignoredParameters);
  const options = candidates.filter(isCommand).flatMap(ignoredParameters);
  return [...parameters, ...options, ...ignoredFlags(root, text)];
}

/** What click calls with its options and arguments, and nothing else decorates. */
function isCommand({ node, marks }: Candidate): boolean {
  return (
    node.type === 'function_definition' &&
    marks.some((mark) => CLICK_COMMAND.test(mark)) &&
    marks.every((mark) => CLICK_COMMAND.test(mark) || /^@click\.(option|argument)\(/.test(mark))
  );
}

/** Only where nothing but this file can ask for the signature: its own functions, and constructors of plain classes. */
function isDecidable(candidate: Candidate, asValues: ReadonlySet<string>): boolean {
  const { node, scope, name, marks, text } = candidate;
  if (node.type !== 'function_definition' || marks.length > 0 || isAllowedFunction(candidate))
    return false;
  if (name.startsWith('_') && name !== '__init__') return false;
  if (scope.level === 'module') return !asValues.has(name) && !name.startsWith('test');
  if (name !== '__init__' || scope.owner === undefined) return false;
  const bases = textOf(childOf(scope.owner, 'superclasses'), text);
  return (
    (bases === '' || PLAIN_BASES.test(bases)) &&
    !asValues.has(textOf(childOf(scope.owner, 'name'), text))
  );
}

/** Functions whose parameters have the same names are of one family: they are called alike, whatever each needs. */
function shapeOf({ node, scope, name, text }: Candidate): string {
  const parameters = namedChildren(childOf(node, 'parameters') ?? node);
  const names = parameters.map((one) => parameterName(one, text) ?? textOf(one, text));
  return `${scope.owner === undefined ? 'function' : name} ${names.join(', ')}`;
}

function countOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Names that stand anywhere but in front of a call: in a registry, as a callback, in a string of names. */
function namesUsedAsValues(root: SyntaxNode, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of descendants(root)) {
    const inner = namedChildren(node);
    for (const child of inner) {
      const isCalled = node.type === 'call' && child.field === 'function';
      const isDefined = child.field === 'name' && /_definition$/.test(node.type);
      if (child.type === 'identifier' && !isCalled && !isDefined) names.add(textOf(child, text));
    }
    if (node.type === 'string' && !/\s/.test(textOf(node, text)))
      names.add(textOf(node, text).replace(/^\W+|\W+$/g, ''));
  }
  return names;
}

function ignoredParameters({ node, scope, name, text }: Candidate): FileFault[] {
  const body = childOf(node, 'body');
  if (body === undefined) return [];
  const code = textOf(body, text).slice(textOf(docstringOf(body), text).length);
  // A body that does nothing is reported as hollow.
  if (/^\s*(pass|\.\.\.|raise\b.*)?\s*$/.test(code)) return [];
  // What reads all of its variables at once reads each.
  if (/\b(locals|vars|eval|exec|globals)\s*\(/.test(code)) return [];
  return namedChildren(childOf(node, 'parameters') ?? node).flatMap((parameter) => {
    const named = parameterName(parameter, text);
    if (named === undefined || /^(_|self$|cls$)/.test(named)) return [];
    if (new RegExp(`(?<![\\w])${named}(?!\\w)`).test(code)) return [];
    const symbol = qualify(scope, name);
    return [
      {
        kind: 'ignored-input' as const,
        symbol: `${symbol}: ${named}`,
        line: parameter.line,
        message: `\`${symbol}\` (line ${parameter.line}) accepts \`${named}\` and never reads it`,
        remedy: `Let \`${named}\` reach its use or take it away; where the signature must have it, say so with \`del ${named}  # why\`.`,
      },
    ];
  });
}

/** Flags of a script that keeps what it parses to itself. */
function ignoredFlags(root: SyntaxNode, text: string): FileFault[] {
  const parsed = [...text.matchAll(/^\s*(\w+)(?::[^=\n]+)?\s*=\s*(\w+)\.parse_args\(/gm)];
  const [only] = parsed;
  if (parsed.length !== 1 || only === undefined) return [];
  const holder = only[1] ?? '';
  const uses = [...text.matchAll(new RegExp(`(?<![\\w.])${holder}(?!\\w)(?!\\s*=[^=])(.?)`, 'g'))];
  // Handed on as a whole, its flags may be read anywhere.
  const isKept = uses.every(
    ({ 1: next, index }) => next === '.' || index === text.indexOf(holder, only.index),
  );
  if (!isKept || /parse_known_args|add_subparsers|\bparents\s*=|set_defaults|\bdest\s*=/.test(text))
    return [];
  const read = new Set(
    [...text.matchAll(new RegExp(`(?<![\\w.])${holder}\\.(\\w+)`, 'g'))].map(
      ([, flag = '']) => flag,
    ),
  );
  if (read.has('__dict__')) return [];
  const faults: FileFault[] = [];
  for (const [node, scope] of scopedNodes(root, text)) {
    const [, flag] =
      node.type === 'call'
        ? (/^\w+\.add_argument\(\s*["']--([\w-]+)["']\s*[,)]/.exec(textOf(node, text)) ?? [])
        : [];
    if (
      flag === undefined ||
      read.has(flag.replaceAll('-', '_')) ||
      /action\s*=\s*["'](version|help)/.test(textOf(node, text))
    )
      continue;
    faults.push({
      kind: 'ignored-input',
      symbol: `--${flag}`,
      line: node.line,
      message: `the flag \`--${flag}\` (line ${node.line}${scope.symbol === '' ? '' : `, in \`${scope.symbol}\``}) is parsed and never read`,
      remedy: `Let \`--${flag}\` reach its use, or take it away.`,
    });
  }
  return faults;
}
