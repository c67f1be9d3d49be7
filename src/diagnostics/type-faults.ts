import type { Problem } from '../domain/finding.ts';
import { calleeAt, type Callee } from './callee.ts';
import { type Names, readNames } from './repository-names.ts';
import { operatorFault } from './operator-faults.ts';
import { type PlainClasses, readPlainClasses } from './plain-classes.ts';
import { gather, type Sighting } from './sightings.ts';
import { STANDARD_LIBRARY } from './standard-library.ts';
import {
  catchesTypeErrors,
  enclosingDefinition,
  isAskedAbout,
  offsetOf,
  type Position,
} from './text-places.ts';

/** One thing that the type checker says. */
export interface TypeDiagnostic {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  readonly start: Position;
  readonly end: Position;
  /** Where it matters what the expression there is as a whole, what the type checker says of its last name: `(variable) s: Settings`. */
  readonly of?: string | undefined;
}

/** What of it is a fault beyond doubt, as far as the whole repository's text tells. */
interface Fault {
  /** The offending name. */
  readonly name: string;
  readonly says: string;
  readonly remedy: string;
}

/**
 * The faults among what a type checker says of a repository. Types of packages that are not installed are unknown, and
 * annotations may be wrong, so most of what it says may be false; kept is what is
 * next to never false on sound packages.
 */
export function typeFaults(
  texts: ReadonlyMap<string, string>,
  diagnostics: readonly TypeDiagnostic[],
): Problem[] {
  const repository = readNames(texts);
  const classes = readPlainClasses(texts);
  const sightings = diagnostics.flatMap((diagnostic): Sighting[] => {
    const text = texts.get(diagnostic.path) ?? '';
    const fault =
      faultOf(repository, text, diagnostic) ?? operationFault(classes, text, diagnostic);
    if (fault === undefined) return [];
    const { line } = diagnostic.start;
    const owner = enclosingDefinition(text, line);
    const { name, says, remedy } = fault;
    return [
      {
        ...{ kind: 'type-fault', remedy, path: diagnostic.path, line: line + 1 },
        symbol: owner === '' ? name : `${owner}: ${name}`,
        message: (places) => `${diagnostic.path} ${places} ${says}.`,
      },
    ];
  });
  return gather(sightings);
}

/** Those that no other problem of the same file is about: one finding a cause. */
export function withoutKnown(
  faults: readonly Problem[],
  known: readonly Problem[],
): readonly Problem[] {
  const lastName = ({ path, symbol }: Problem): string =>
    `${path} ${symbol.split(/[^\w]+/).findLast((word) => word !== '') ?? ''}`;
  const names = new Set(known.map(lastName));
  return faults.filter((fault) => !names.has(lastName(fault)));
}

function faultOf(repository: Names, text: string, diagnostic: TypeDiagnostic): Fault | undefined {
  switch (diagnostic.rule) {
    case 'reportAttributeAccessIssue':
      return attributeFault(repository, text, diagnostic);
    case 'reportCallIssue':
      return callFault(repository, text, diagnostic);
    case 'reportUnboundVariable':
      return unboundFault(diagnostic);
    default:
      return undefined;
  }
}

function operationFault(
  classes: PlainClasses,
  text: string,
  { start, end, ...said }: TypeDiagnostic,
): Fault | undefined {
  const from = offsetOf(text, start);
  const written = text.slice(from, offsetOf(text, end));
  const fault = operatorFault(classes, { ...said, written, before: text.slice(0, from) });
  if (catchesTypeErrors(text, start.line) || isAskedAbout(text, start.line, written))
    return undefined;
  return fault;
}

const MODULE_ATTRIBUTE = /^"([A-Za-z]\w*)" is not a known attribute of module "([\w.]+)"/;
const ATTRIBUTE = /^Cannot access attribute "(\w+)" for class "(?:type\[)?(\w+)([^"]*)"/;

function attributeFault(
  { classes, made }: Names,
  text: string,
  { message, start }: TypeDiagnostic,
): Fault | undefined {
  const [, attribute = '', module = ''] = MODULE_ATTRIBUTE.exec(message) ?? [];
  if (attribute !== '') {
    const [top = ''] = module.split('.');
    // A module below it may have been loaded by somebody else.
    const isKnown = STANDARD_LIBRARY.has(top) && !SUBMODULES.has(attribute);
    const isTested = lineOf(text, start.line).includes('hasattr');
    return isKnown && !isTested && !made.has(attribute)
      ? {
          name: `${module}.${attribute}`,
          says: `uses \`${module}.${attribute}\`, which Python's \`${module}\` does not have`,
          remedy: `Use what \`${module}\` has instead of \`${attribute}\`.`,
        }
      : undefined;
  }
  const [, name = '', owner = '', rest = ''] = ATTRIBUTE.exec(message) ?? [];
  // Of `self` a class that inherits may have more; so may any object have what some class of the repository defines.
  const isSelf = rest.endsWith('*') || isOfSelf(text, start);
  if (isSelf || name === '' || !classes.has(owner) || made.has(name)) return undefined;
  return {
    name: `${owner}.${name}`,
    says: `reads \`${name}\` of a \`${owner}\`, which nothing in the repository defines or sets`,
    remedy: `Define \`${name}\` in \`${owner}\`, or use what it has.`,
  };
}

function isOfSelf(text: string, { line, column }: Position): boolean {
  return /\b(self|cls)\s*\.\s*$/.test(lineOf(text, line).slice(0, column));
}

const CALL_SAYINGS: readonly (readonly [RegExp, (match: string) => string])[] = [
  [/^Expected (\d+) positional arguments?$/, (n) => `it takes only ${n} arguments by position`],
  [/^Expected \d+ more positional arguments?/, () => 'it needs more arguments'],
  [/^No parameter named "(\w+)"$/, (name) => `it has no parameter \`${name}\``],
  [/^Arguments? missing for parameters? (.+)$/, (names) => `it also needs ${names}`],
];

function callFault(
  repository: Names,
  text: string,
  { message, start, end }: TypeDiagnostic,
): Fault | undefined {
  const saying = CALL_SAYINGS.map(([pattern, say]) => {
    const match = pattern.exec(message);
    return match && say((match[1] ?? '').replaceAll('"', '`'));
  }).find((one) => one !== null);
  const callee = calleeAt(text, offsetOf(text, start), offsetOf(text, end));
  if (saying === undefined || callee === undefined) return undefined;
  if (message.startsWith('Expected') && isAfterRest(text.slice(0, offsetOf(text, start)), callee))
    return undefined;
  if (!isCertain(repository, text, callee)) return undefined;
  const called = callee.names.join('.');
  return {
    name: callee.names.at(-1) ?? called,
    says: `calls \`${called}\` wrongly (${saying}), which fails`,
    remedy: `Call \`${called}\` with the arguments that it takes.`,
  };
}

/** Whether the call's arguments before a place hold `*values`, of which there may be any number. */
function isAfterRest(before: string, { names }: Callee): boolean {
  const given = before.slice(before.lastIndexOf(`${names.at(-1) ?? ''}(`));
  return /[(,]\s*\*\s*[\w([]/.test(given);
}

/** Whether what is called can only be one definition: of the repository's functions the only one of its name, or Python's own. */
function isCertain(
  { classes, functions, made }: Names,
  text: string,
  { names, isOfValue }: Callee,
): boolean {
  const [first = ''] = names;
  const last = names.at(-1) ?? '';
  // Classes have checks of their own, which know more of what makes their constructors.
  if (classes.has(last)) return false;
  const count = functions.get(last) ?? 0;
  // A plain name is for our own checks; here it may stand for a parameter.
  if (count > 0) return count === 1 && (names.length > 1 || isOfValue);
  if (isOfValue || made.has(last)) return false;
  const module = importedFrom(text, first);
  return STANDARD_LIBRARY.has(module) || (module === 'yaml' && first === 'yaml');
}

/** The top-level module that binds a name in a file; empty where none does. */
function importedFrom(text: string, name: string): string {
  const plain = new RegExp(String.raw`^[ \t]*import[ \t]+(?:.*,[ \t]*)?${name}\b(?![ \t]+as)`, 'm');
  if (plain.test(text)) return name;
  const other = String.raw`^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b.*\b|import[ \t]+(\w+)[\w.]*[ \t]+as[ \t]+)${name}\b`;
  const [, from, as] = new RegExp(other, 'm').exec(text) ?? [];
  return from ?? as ?? '';
}

function unboundFault({ message }: TypeDiagnostic): Fault | undefined {
  const [, name = ''] = /^"(\w+)" is unbound$/.exec(message) ?? [];
  return name === ''
    ? undefined
    : {
        name,
        says: `uses \`${name}\` where nothing has given it a value`,
        remedy: `Give \`${name}\` a value before it is used.`,
      };
}

/** Modules below Python's own modules, which `import os` alone need not load. */
const SUBMODULES: ReadonlySet<string> = new Set(
  'abc util metadata resources machinery path futures thread process dom etree sax minidom parse request error client server cookiejar cookies handlers config pool managers shared_memory connection dummy synchronize queues context spawn headers mime text image audio multipart base message policy utils charset encoders generator simple_server handlers ttk filedialog messagebox font ascii panel textpad case mock suite loader runner main result signals events tasks locks subprocess streams transports protocols runners aliases idna utf_8 command'.split(
    ' ',
  ),
);

function lineOf(text: string, line: number): string {
  return text.split('\n')[line] ?? '';
}
