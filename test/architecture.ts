import { posix } from 'node:path';
import ts from 'typescript';

/** A source file by its path in the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

interface Row {
  /** Folders (`domain`), files (`store/store.ts`) or packages; a package stands for its sub-paths, `node:` for all of Node. */
  readonly values: readonly string[];
  /** What may be imported as a type besides. */
  readonly types?: readonly string[];
}

/** DESIGN section 5 as data: what the files of a folder may import besides each other. */
const FOLDERS: Readonly<Record<string, Row>> = {
  domain: { values: ['zod', 'node:crypto'] },
  prompts: { values: ['domain', 'zod', 'jsonrepair'] },
  diagnostics: { values: ['domain', 'node:crypto'] },
  analyzers: {
    values: [
      ...['domain', 'diagnostics', 'web-tree-sitter', 'yaml', 'smol-toml', 'zod', 'node:'],
      '@astral-sh/ruff-wasm-nodejs',
    ],
  },
  models: { values: ['domain', 'openai', 'gpt-tokenizer', 'jsonrepair', 'zod', 'node:'] },
  papers: { values: ['domain', 'pdfjs-dist', '@napi-rs/canvas', 'node:', 'zod'] },
  store: { values: ['domain', 'node:', 'zod'] },
  processes: { values: ['domain', 'execa', 'node:'] },
  activities: {
    values: [
      ...['domain', 'prompts', 'diagnostics', 'analyzers', 'models', 'papers', 'store'],
      ...['processes', '@temporalio/activity', '@temporalio/common', 'zod', 'node:'],
    ],
  },
  // What a worker tells of itself.
  health: { values: ['domain', 'store', 'node:'], types: ['activities', '@temporalio/common'] },
  workflows: { values: ['domain', '@temporalio/workflow'], types: ['activities'] },
  runs: {
    values: [
      ...['domain', 'store', 'workflows/messages.ts', '@temporalio/client', '@temporalio/common'],
      // Amended blueprints are edited as YAML.
      ...['node:', 'zod', 'yaml'],
    ],
  },
  local: {
    values: [
      ...['domain', 'processes', 'store', '@temporalio/client', '@temporalio/common', 'zod'],
      ...['@temporalio/testing', '@temporalio/worker', '@temporalio/envconfig', 'node:'],
    ],
  },
  commands: {
    values: ['runs', 'domain', 'commander', 'log-update', 'picocolors', 'node:', 'zod'],
  },
  web: { values: ['runs', 'domain', 'zod', 'node:'] },
};

/** The shell's folders know each other by these interfaces only. */
const SHELL = ['analyzers', 'models', 'papers', 'processes', 'store'];
const INTERFACES = ['models/model.ts', 'store/store.ts'];

/** The algorithm, free of Temporal. */
const ALGORITHM: Row = {
  values: [
    ...['domain', 'workflows/loop.ts', 'workflows/play-round.ts', 'workflows/write-file.ts'],
    'workflows/all.ts',
  ],
  types: ['workflows'],
};

/** Files with a row of their own. */
const FILES: Readonly<Record<string, Row>> = {
  'workflows/loop.ts': ALGORITHM,
  'workflows/play-round.ts': ALGORITHM,
  'workflows/write-file.ts': ALGORITHM,
  'workflows/all.ts': ALGORITHM,
  // The standard profile of Temporal's clients is part of the environment.
  'project-file.ts': { values: ['domain', 'node:'] },
  'settings.ts': { values: ['domain', 'project-file.ts', '@temporalio/envconfig', 'zod', 'node:'] },
};

/** These put everything together. */
const ROOTS = [
  ...['worker.ts', 'client.ts', 'client-engines.ts', 'client-ports.ts'],
  ...['client-doctor.ts', 'client-doctor-models.ts', 'client-quick.ts'],
];

/** One vendor, one place: folders or files of src. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  openai: ['models'],
  'gpt-tokenizer': ['models'],
  execa: ['processes'],
  'web-tree-sitter': ['analyzers'],
  '@astral-sh/ruff-wasm-nodejs': ['analyzers'],
  yaml: ['analyzers', 'runs'],
  'smol-toml': ['analyzers'],
  'pdfjs-dist': ['papers'],
  '@napi-rs/canvas': ['papers'],
  commander: ['commands', 'client.ts'],
  'log-update': ['commands'],
  picocolors: ['commands'],
  '@temporalio/envconfig': ['settings.ts', 'local'],
  '@temporalio/worker': ['worker.ts', 'local'],
  '@temporalio/testing': ['local'],
  '@temporalio/workflow': ['workflows'],
  '@temporalio/activity': ['activities', 'worker.ts'],
};

/** Where Temporal wants one entry. */
const BARRELS = ['src/workflows/index.ts', 'src/activities/index.ts'];
const NAMELESS = /\/(helpers?|utils?|common|shared|misc|types)\.ts$/;
const MAX_LINES = 400;
const LONG_LINES = 250;
/** Files between the two, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'src/diagnostics/package-names.ts': 'a table',
  'src/analyzers/python-bindings.ts': 'one walk, a short function for each statement that binds',
  'src/analyzers/python-values.ts': 'one walk, a short function for each kind of statement',
  'src/analyzers/python-leaks.ts': 'one reading of names and what they were given',
  'src/local/supervisor.ts': 'one state machine over two children; its parts share all their state',
  'src/papers/markdown-blocks.ts': 'one grammar, a short function for each kind of block',
};

interface Import {
  /** A path within the repository, or a package. */
  readonly target: string;
  readonly isType: boolean;
}

/** Everything that breaks the rules of the layers, a sentence each. */
export function checkArchitecture(sources: readonly Source[]): string[] {
  const imports = new Map(sources.map((source) => [source.path, readImports(source)]));
  return [
    ...sources.flatMap((source) => checkSource(source, imports.get(source.path) ?? [])),
    ...checkReach(imports),
  ];
}

function checkSource(source: Source, imports: readonly Import[]): string[] {
  const faults = [...checkLength(source), ...checkName(source)];
  const place = source.path.slice('src/'.length);
  if (ROOTS.includes(place)) return faults;
  const folder = place.includes('/') ? (place.split('/')[0] ?? '') : place;
  const row = FILES[place] ?? FOLDERS[folder];
  if (row === undefined)
    return [`${source.path} is in a folder without a row; add one to test/architecture.ts`];
  return [...faults, ...imports.flatMap((one) => checkImport(source.path, folder, row, one))];
}

function checkImport(path: string, folder: string, row: Row, { target, isType }: Import): string[] {
  const place = path.slice('src/'.length);
  const isOwnRow = place in FILES;
  const allowed = [
    ...(isOwnRow ? [] : [folder]),
    ...row.values,
    ...(SHELL.includes(folder) ? INTERFACES : []),
  ];
  if (isCovered(target, allowed)) return checkVendor(path, target);
  const types = row.types ?? [];
  if (isType && isCovered(target, types)) return [];
  const how = isCovered(target, types) ? ' as a value' : '';
  const others = [
    ...allowed.filter((name) => name !== folder),
    ...types.map((t) => `types of ${t}`),
  ];
  const subject = isOwnRow ? place : folder;
  return [`${path} imports ${target}${how}; ${subject} may import only ${others.join(', ')}`];
}

function checkVendor(path: string, target: string): string[] {
  const vendor = Object.keys(VENDORS).find((name) => isCovered(target, [name]));
  const places = vendor === undefined ? undefined : VENDORS[vendor];
  if (places === undefined || isCovered(path, places)) return [];
  return [`${path} imports ${target}; only ${places.join(' and ')} may`];
}

/** Whether a path or package is one of those named, or lies in one. */
function isCovered(target: string, names: readonly string[]): boolean {
  return names.some((name) => {
    if (target.startsWith('src/')) {
      const place = target.slice('src/'.length);
      return place === name || place.startsWith(`${name}/`);
    }
    return target === name || target.startsWith(name.endsWith(':') ? name : `${name}/`);
  });
}

/** Follows the values that workflow code loads: its sandbox takes Temporal and nothing else, and zod must not parse there. */
function checkReach(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const entry = 'src/workflows/index.ts';
  const faults: string[] = [];
  const seen = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { target, isType } of imports.get(path) ?? []) {
      if (isType) continue;
      const chain = [...trail, target];
      if (target.startsWith('src/')) visit(target, chain);
      else if (!isCovered(target, ['@temporalio/workflow']))
        faults.push(`${entry} reaches ${target}: ${chain.join(' → ')}`);
    }
  };
  visit(entry, [entry]);
  return faults;
}

function checkLength({ path, text }: Source): string[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > MAX_LINES) return [`${path} has ${lines} lines; ${MAX_LINES} are the most`];
  if (lines <= LONG_LINES || path in LONG_FILES) return [];
  return [`${path} has ${lines} lines; over ${LONG_LINES} needs a reason in test/architecture.ts`];
}

function checkName({ path, text }: Source): string[] {
  if (NAMELESS.test(path)) return [`${path} has no noun; name it after what it holds`];
  if (BARRELS.includes(path)) return [];
  const { statements } = parse({ path, text });
  const reExports = statements.filter(
    (statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
  );
  const isBarrel = path.endsWith('/index.ts') || reExports.length > 1;
  return isBarrel && reExports.length === statements.length && reExports.length > 0
    ? [`${path} is a barrel; import from the files themselves`]
    : [];
}

function readImports(source: Source): Import[] {
  const imports: Import[] = [];
  const add = (specifier: ts.Node | undefined, isType: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    imports.push({ target: resolve(source.path, specifier.text), isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, isTypeExport(node));
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    if (ts.isCallExpression(node) && isLoading(node.expression)) add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(parse(source));
  return imports;
}

function isLoading(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(callee) && callee.text === 'require')
  );
}

/** Only `import type` is erased under verbatimModuleSyntax; `import { type A }` still loads the module. */
function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  return clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

function isTypeExport(declaration: ts.ExportDeclaration): boolean {
  return declaration.isTypeOnly;
}

function resolve(importer: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  return posix.normalize(posix.join(posix.dirname(importer), specifier));
}

function parse({ path, text }: Source): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023);
}
