import type { ArgumentFact, CommandLineFact } from '../diagnostics/code-facts.ts';
import { literalValue } from './literal-value.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Other ways to read a command line, whose flags are not decidable here. */
const OTHER_READER =
  /\bsys\.argv\b|\bparse_known_args\b|\bparse_known_intermixed_args\b|\bprefix_chars\b|^\s*(?:from|import)\s+(?:typer|fire|absl|hydra|tyro|simple_parsing|jsonargparse|docopt|plac|configargparse|transformers|lightning|pytorch_lightning|omegaconf|draccus|gin|ml_collections|tap|pydantic_settings|sacred|argh|cyclopts|detectron2|mmengine|mmcv|plumbum|optparse|getopt|invoke|cleo|defopt|datargs|tensorflow|chz|spock|pyrallis|cmd)\b/m;

/** Takes all that was parsed at once, or by computed names. */
const SPREADS =
  /\bvars\(|__dict__|_get_kwargs|\basdict\(|\bfrom_\w*args\(|\bgetattr\(\s*\w+\s*,\s*[^"'\s]/;

const CLICK_FLAG = /^click\.option$/;
const CLICK_PROGRAM = /^click\.(command|group)$/;

/** Click in ways that are not followed: bare names, other loaders, flags that are passed on or made elsewhere. */
function isOpenClick(text: string): boolean {
  return (
    /^\s*from\s+click\b|^\s*(?:from|import)\s+\w+click|^\s*(?:from|import)\s+click_/m.test(text) ||
    (/^\s*import\s+click\b/m.test(text) &&
      /ignore_unknown_options|allow_extra_args|\.params\b|\bcls\s*=|\*\*/.test(text))
  );
}

/** `@click.option("--a/--no-a")`; its value is a parameter of what it decorates. */
function clickFact(call: SyntaxNode, text: string): ArgumentFact | undefined {
  const given = namedChildren(childOf(call, 'arguments') ?? call);
  const names = given
    .filter(({ type }) => type !== 'keyword_argument')
    .map((node) => literalOf(node, text));
  if (names.length === 0 || !names.every((name) => name !== undefined)) return undefined;
  const flags = names.flatMap((name) => name.split('/')).filter((name) => name.startsWith('-'));
  const option = given.find(
    (one) => one.type === 'keyword_argument' && textOf(childOf(one, 'name'), text) === 'default',
  );
  const fallback = literalValue(option && childOf(option, 'value'), text) ?? null;
  const rest = { isRequired: false, choices: null, fallback, holder: '', destination: '' };
  return { flags, line: call.line, ...rest };
}

/** `fit = commands.add_parser("fit", parents=[common])` */
function readSubcommands(text: string): CommandLineFact['subcommands'] {
  const made = text.matchAll(
    /^\s*(\w+)\s*=\s*\w+\.add_parser\(\s*["']([\w-]+)["'](?:[^()\n]|\([^()]*\))*\)/gm,
  );
  return [...made].map(([call, holder = '', name = '']) => ({
    name,
    holder,
    parents: /\bparents\s*=\s*\[([^\]]*)\]/.exec(call)?.[1]?.match(/\w+/g) ?? [],
  }));
}

/** What a Python file says of its command line, from its uses of argparse. */
export function readCommandLine(
  scopes: ReadonlyMap<SyntaxNode, Scope>,
  text: string,
): CommandLineFact {
  const found: (ArgumentFact | undefined)[] = [];
  // `add = parser.add_argument`
  const alias = /^\s*(\w+)\s*=\s*[\w.]+\.add_argument\s*$/m.exec(text)?.[1];
  let parsers = 0;
  let parses = false;
  for (const [node, scope] of scopes) {
    if (node.type !== 'call') continue;
    const called = calledName(node, text);
    if (called === 'add_argument' || (called !== '' && called === alias))
      found.push(argumentFact(node, scope, text));
    const callee = textOf(childOf(node, 'function'), text);
    if (CLICK_FLAG.test(callee)) found.push(clickFact(node, text));
    if (CLICK_PROGRAM.test(callee)) parses = true;
    if (/^(ArgumentParser|add_parser)$/.test(called)) parsers += 1;
    if (/^parse(_intermixed)?_args$/.test(called)) parses = true;
  }
  const known = found.filter((fact) => fact !== undefined);
  return {
    arguments: known,
    subcommands: readSubcommands(text),
    parsers,
    parses,
    isOpen: known.length < found.length || OTHER_READER.test(text) || isOpenClick(text),
    spreads: SPREADS.test(text),
  };
}

/** Undefined when its flags are computed. */
function argumentFact(call: SyntaxNode, scope: Scope, text: string): ArgumentFact | undefined {
  const list = childOf(call, 'arguments');
  const given = list === undefined ? [] : namedChildren(list);
  if (given.some(({ type }) => /splat/.test(type))) return undefined;
  const options = given.filter(({ type }) => type === 'keyword_argument');
  const option = (name: string): SyntaxNode | undefined => {
    const node = options.find((one) => textOf(childOf(one, 'name'), text) === name);
    return node && childOf(node, 'value');
  };
  const names = given.filter((node) => node.type !== 'keyword_argument');
  const flags = names.map((node) => literalOf(node, text));
  if (flags.length === 0 || !flags.every((flag) => flag !== undefined)) return undefined;
  const expanded = /BooleanOptionalAction$/.test(textOf(option('action'), text))
    ? flags.flatMap((flag) => [flag, flag.replace(/^--/, '--no-')])
    : flags;
  const long = flags.find((flag) => flag.startsWith('--')) ?? flags[0] ?? '';
  return {
    flags: expanded,
    line: call.line,
    // What a branch adds may not be asked for.
    isRequired: textOf(option('required'), text) === 'True' && !scope.isConditional,
    fallback: literalValue(option('default'), text) ?? null,
    choices: choicesOf(option('choices'), option('type'), text),
    holder: /^(\w+)\.add_argument$/.exec(textOf(childOf(call, 'function'), text))?.[1] ?? '',
    destination: literalOf(option('dest'), text) ?? long.replace(/^-+/, '').replaceAll('-', '_'),
  };
}

function choicesOf(
  choices: SyntaxNode | undefined,
  type: SyntaxNode | undefined,
  text: string,
): string[] | null {
  if (!choices || !/^(list|tuple|set)$/.test(choices.type)) return null;
  if (type !== undefined && textOf(type, text) !== 'str') return null;
  const values = namedChildren(choices).map((node) => literalOf(node, text));
  return values.every((value) => value !== undefined) ? values : null;
}

function literalOf(node: SyntaxNode | undefined, text: string): string | undefined {
  if (node?.type !== 'string' || namedChildren(node).some(({ type }) => type === 'interpolation'))
    return undefined;
  return /^(["'])([^"'\\]*)\1$/.exec(textOf(node, text))?.[2];
}
