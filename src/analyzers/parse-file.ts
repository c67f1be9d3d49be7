import type { Language, ParsedFile, ParseProblem } from '../diagnostics/parsed-file.ts';
import { EMPTY_SETTINGS } from '../diagnostics/settings-facts.ts';
import { type CodeFacts, type LintMark, NO_CODE } from '../diagnostics/code-facts.ts';
import { splitCommands } from '../diagnostics/command-words.ts';
import { folderOf } from '../diagnostics/module-map.ts';
import { EMPTY_INTERFACE } from '../domain/interface.ts';
import { nestingOf } from './nesting.ts';
import { readJsonProblems, readMarkdownProblems, readYamlProblems } from './data-problems.ts';
import { readDeclared } from './declared-packages.ts';
import { findElision } from './elision.ts';
import { readCode } from './python-code.ts';
import { type Lint, loadLint } from './linter.ts';
import { readFaults } from './python-faults.ts';
import { readHollow } from './python-hollow.ts';
import { readImports } from './python-imports.ts';
import { docstringOf, readExported, readInterface } from './python-interface.ts';
import { readNames } from './python-names.ts';
import { readPythonProblems } from './python-problems.ts';
import { readPythonSettings } from './python-settings.ts';
import { readSaidNames } from './said-names.ts';
import { readSettingsFile } from './settings-keys.ts';
import {
  depthOf,
  loadSyntax,
  namedChildren,
  type ReadSyntax,
  type SyntaxNode,
} from './syntax-tree.ts';
import { readShellProblems } from './shell-problems.ts';
import { readToldBlocks } from './told-blocks.ts';
import { readConsoleScripts, readInstalled, readTomlProblems } from './toml-facts.ts';

/** Reads one file of a repository. Synchronous and pure once made, so one parser serves a whole worker. */
export interface Parser {
  /** Never throws, whatever the text; what is wrong with it is in `problems`. */
  readonly parse: (path: string, text: string) => ParsedFile;
}

/** Longer sources are refused unread: a parser's time grows with them, and no one writes such files by hand. */
const MAX_SOURCE_CHARACTERS = 150_000;
/** Data may be longer than code. */
const MAX_DATA_CHARACTERS = 1_000_000;

/** Readers of data are recursive, and a stack that overflows where a regular expression is compiled ends the process. */
const MAX_NESTING = 200;

const LANGUAGES: Readonly<Record<string, Language>> = {
  py: 'python',
  pyi: 'python',
  json: 'json',
  ipynb: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  sh: 'shell',
  bash: 'shell',
  md: 'markdown',
};
/** Files that mean something by being there. */
const MAY_BE_EMPTY = /(^|\/)(__init__\.pyi?|conftest\.py|py\.typed|\.[\w.-]+)$/;

/** Levels of a syntax tree; code that people read has some thirty. */
const MAX_LINTED_DEPTH = 200;

interface Readers {
  readonly python: ReadSyntax;
  readonly shell: ReadSyntax;
  readonly lint: Lint;
}

let loading: Promise<Readers> | undefined;

/** Makes a parser; grammars are loaded once in a process. Throws when their package is not installed whole. */
export async function createParser(): Promise<Parser> {
  loading ??= loadReaders();
  const readers = await loading;
  return { parse: (path, text) => parse(readers, path, text) };
}

async function loadReaders(): Promise<Readers> {
  return {
    python: await loadSyntax('python'),
    shell: await loadSyntax('bash'),
    lint: await loadLint(),
  };
}

/** What a file's name says it holds. */
export function languageOf(path: string): Language {
  return LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''] ?? 'text';
}

function parse(readers: Readers, path: string, text: string): ParsedFile {
  const language = languageOf(path);
  const blank = blankFile(path, language);
  const refusal = refusalOf(path, language, text);
  if (refusal !== undefined) return { ...blank, problems: [refusal] };
  const declares = readDeclared(path, text);
  if (language === 'python') return { ...readPython(readers, blank, text), declares };
  return {
    ...blank,
    declares,
    problems: [...dataProblems(language, text), ...shellProblems(readers.shell, language, text)],
    code: toldCode(path, language, text),
    // Set for a command, it may make any folder one that Python looks into.
    extendsPath: /\bPYTHONPATH\b/.test(text),
    settings: readSettingsFile(path, language, text),
  };
}

function shellProblems(readSyntax: ReadSyntax, language: Language, text: string): ParseProblem[] {
  const root = language === 'shell' ? readSyntax(text) : undefined;
  return root === undefined ? [] : readShellProblems(root, text);
}

/** The commands that a script, a document or a project file holds. */
function toldCode(path: string, language: Language, text: string): CodeFacts {
  switch (language) {
    case 'shell':
      return { ...NO_CODE, commands: splitCommands(text, folderOf(path)) };
    case 'markdown':
      return { ...NO_CODE, commands: readToldBlocks(text) };
    case 'toml':
      return path.endsWith('pyproject.toml')
        ? { ...NO_CODE, consoleScripts: readConsoleScripts(text), installed: readInstalled(text) }
        : { ...NO_CODE, said: readSaidNames(text) };
    case 'json':
    case 'yaml':
      return { ...NO_CODE, said: readSaidNames(text) };
    case 'python':
    case 'text':
      return NO_CODE;
  }
}

/** What is known of a file that was not read. */
export function blankFile(path: string, language: Language): ParsedFile {
  return {
    path,
    language,
    problems: [],
    interface: EMPTY_INTERFACE,
    hollow: [],
    faults: [],
    imports: [],
    attributes: [],
    assigned: [],
    exported: null,
    isScript: false,
    extendsPath: false,
    declares: null,
    settings: EMPTY_SETTINGS,
    code: NO_CODE,
  };
}

function refusalOf(path: string, language: Language, text: string): ParseProblem | undefined {
  if (text.trim() === '')
    return MAY_BE_EMPTY.test(path)
      ? undefined
      : { kind: 'empty', line: 0, message: 'holds nothing' };
  const nul = text.indexOf('\0');
  if (nul >= 0) {
    const line = text.slice(0, nul).split('\n').length;
    return { kind: 'does-not-parse', line, message: 'a NUL character' };
  }
  const depth = nestingOf(language, text);
  if (depth > MAX_NESTING) {
    const message = `values nested ${depth} deep are more than the ${MAX_NESTING} that are read`;
    return { kind: 'does-not-parse', line: 0, message };
  }
  const limit = language === 'python' ? MAX_SOURCE_CHARACTERS : MAX_DATA_CHARACTERS;
  if (text.length <= limit || !/^(python|json|yaml)$/.test(language)) return undefined;
  const message = `${text.length} characters are more than the ${limit} that are read; split it`;
  return { kind: 'does-not-parse', line: 0, message };
}

function dataProblems(language: Language, text: string): ParseProblem[] {
  switch (language) {
    case 'json':
      return readJsonProblems(text);
    case 'yaml':
      return [...readYamlProblems(text), ...elisions(text)];
    case 'toml':
      return [...readTomlProblems(text), ...elisions(text)];
    case 'shell':
      return elisions(text);
    case 'markdown':
      return readMarkdownProblems(text);
    case 'python':
    case 'text':
      return [];
  }
}

function elisions(text: string): ParseProblem[] {
  const elision = findElision(text);
  return elision === undefined ? [] : [elision];
}

function readPython(readers: Readers, blank: ParsedFile, text: string): ParsedFile {
  const root = readers.python(text);
  if (root === undefined) {
    const message = 'the text is too tangled to be Python';
    return { ...blank, problems: [{ kind: 'does-not-parse', line: 0, message }] };
  }
  const errors = readPythonProblems(root, text);
  const imports = readImports(root, text);
  const names = readNames(root, text, imports);
  return {
    ...blank,
    problems: [...errors, ...elisions(text), ...emptiness(root, blank.path)],
    interface: readInterface(root, text, imports, names.module),
    // A broken tree makes bodies look empty that are not.
    hollow: errors.length === 0 ? readHollow(root, text, blank.path) : [],
    faults: errors.length === 0 ? readFaults(root, text, blank.path) : [],
    imports,
    settings: readPythonSettings(root, text, { names: names.module, imports }),
    attributes: names.attributes,
    assigned: names.assigned,
    exported: readExported(root, text),
    code:
      errors.length === 0
        ? { ...readCode(root, text), lint: lintOf(readers, root, text) }
        : NO_CODE,
    isScript:
      /^if\s+\(?\s*(__name__\s*==\s*["']__main__["']|["']__main__["']\s*==\s*__name__)/m.test(text),
    extendsPath: /\bsys\.path\b\s*(\.(insert|append|extend)\(|\+?=|\[)|\bsite\.addsitedir\(/.test(
      text,
    ),
  };
}

/** Ruff reads by recursion, and one that ran out of its stack could not be used again. */
function lintOf({ lint }: Readers, root: SyntaxNode, text: string): readonly LintMark[] {
  return depthOf(root) > MAX_LINTED_DEPTH ? [] : lint(text);
}

function emptiness(root: SyntaxNode, path: string): ParseProblem[] {
  const statements = namedChildren(root).slice(docstringOf(root) === undefined ? 0 : 1);
  if (statements.length > 0 || MAY_BE_EMPTY.test(path)) return [];
  return [{ kind: 'empty', line: 0, message: 'holds comments and no code' }];
}
