import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lastNameEnd } from '../diagnostics/callee.ts';
import { needsWholeType } from '../diagnostics/operator-faults.ts';
import { offsetOf, positionAt } from '../diagnostics/text-places.ts';
import type { TypeDiagnostic } from '../diagnostics/type-faults.ts';
import { speak, type Messages, type Wire } from './json-rpc.ts';
import type { FolderChanges, PyrightFolder, PythonTexts } from './pyright-folder.ts';
import { ConfigurationParams, DiagnosticReport, Hover } from './pyright-messages.ts';

/** A program whose input and output are ours. */
export interface Program extends Wire {
  /** 0 when it could not be started. */
  readonly pid: number;
  readonly ended: Promise<{ readonly failure: string }>;
  readonly kill: () => void;
}

/** Starts a program; handed in, because analyzers start no processes. */
export type OpenProgram = (request: {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}) => Program;

/** One running language server over one folder. */
export interface PyrightServer {
  readonly pid: number;
  /** What is wrong with each file, after those changes on disk. Rejects when the server ended. */
  diagnose(texts: PythonTexts, changes: FolderChanges): Promise<TypeDiagnostic[]>;
  readonly kill: () => void;
}

/** A server that needs more is ended; 200 files take about half of it. */
const MAX_HEAP_MIB = 2_048;
const CREATED = 1;
const DELETED = 3;

/** Starts pyright on a folder. Rejects when it ends before it is ready. */
export async function startPyrightServer(
  open: OpenProgram,
  folder: PyrightFolder,
): Promise<PyrightServer> {
  const home = createRequire(import.meta.url).resolve('pyright/package.json');
  const program = open({
    command: process.execPath,
    args: [
      `--max-old-space-size=${MAX_HEAP_MIB}`,
      join(home, '..', 'langserver.index.js'),
      '--stdio',
    ],
    // It would run a Python that it finds, to ask where packages are: there is none to be found.
    env: { PATH: folder.empty, HOME: folder.empty },
    cwd: folder.empty,
  });
  const gone = program.ended.then(({ failure }): never => {
    throw new Error(failure === '' ? 'its program ended' : `it did not start: ${failure}`);
  });
  gone.catch(() => undefined);
  const answer = (method: string, params: unknown): unknown => answerOf(method, params, folder);
  const messages = speak(program, answer);
  const ask = (method: string, params: unknown): Promise<unknown> =>
    Promise.race([messages.request(method, params), gone]);
  await ask('initialize', initialization(folder.root));
  messages.notify('initialized', {});
  return {
    pid: program.pid,
    kill: program.kill,
    diagnose: createDiagnose({ messages, ask, folder }),
  };
}

interface Connection {
  readonly messages: Messages;
  readonly ask: (method: string, params: unknown) => Promise<unknown>;
  readonly folder: PyrightFolder;
}

function createDiagnose({ messages, ask, folder }: Connection): PyrightServer['diagnose'] {
  const known = new Map<string, { resultId: string; found: TypeDiagnostic[] }>();
  const open = new Map<string, { version: number; text: string }>();
  const documentOf = (path: string) => ({ uri: uriOf(join(folder.root, path)) });
  /** The server is told the texts themselves: what it is told it takes notice of at once, what is on disk only later. */
  const tell = (texts: PythonTexts): void => {
    for (const path of open.keys())
      if (!texts.has(path)) {
        messages.notify('textDocument/didClose', { textDocument: documentOf(path) });
        open.delete(path);
        known.delete(path);
      }
    for (const [path, text] of texts) {
      const last = open.get(path);
      const version = (last?.version ?? 0) + 1;
      const textDocument = { ...documentOf(path), version };
      if (last?.text === text) continue;
      if (last === undefined)
        messages.notify('textDocument/didOpen', {
          textDocument: { ...textDocument, languageId: 'python', text },
        });
      else messages.notify('textDocument/didChange', { textDocument, contentChanges: [{ text }] });
      open.set(path, { version, text });
    }
  };
  const withType = async (one: TypeDiagnostic): Promise<TypeDiagnostic> => {
    const text = open.get(one.path)?.text ?? '';
    const end = needsWholeType(one)
      ? lastNameEnd(text, offsetOf(text, one.start), offsetOf(text, one.end))
      : undefined;
    if (end === undefined) return one;
    const { line, column } = positionAt(text, end - 1);
    const params = { textDocument: documentOf(one.path), position: { line, character: column } };
    const hover = Hover.parse(await ask('textDocument/hover', params));
    return { ...one, of: hover?.contents.value };
  };
  const diagnoseOne = async (path: string): Promise<TypeDiagnostic[]> => {
    const last = known.get(path);
    const params = {
      textDocument: documentOf(path),
      ...(last && { previousResultId: last.resultId }),
    };
    const report = DiagnosticReport.parse(await ask('textDocument/diagnostic', params));
    if (report.kind === 'unchanged') return last?.found ?? [];
    const found = diagnosticsOf(path, report);
    if (report.resultId === undefined) known.delete(path);
    else known.set(path, { resultId: report.resultId, found });
    return found;
  };
  return async (texts, changes) => {
    const events = eventsOf(changes);
    if (events.length > 0) messages.notify('workspace/didChangeWatchedFiles', { changes: events });
    tell(texts);
    // Asked in one order, which the server keeps, so that what is inferred on the way is inferred alike.
    const found = await Promise.all([...texts.keys()].sort().map(diagnoseOne));
    // Asked anew: what a name is may change by another file, while the message stays.
    return Promise.all(found.flat().map(withType));
  };
}

function diagnosticsOf(path: string, report: DiagnosticReport): TypeDiagnostic[] {
  if (report.kind !== 'full') return [];
  return report.items.flatMap(({ code, message, range: { start, end } }) =>
    typeof code === 'string'
      ? [
          {
            ...{ path, rule: code, message },
            start: { line: start.line, column: start.character },
            end: { line: end.line, column: end.character },
          },
        ]
      : [],
  );
}

/** Of files that came or went, for imports to be looked up again; what changed is told as text. */
function eventsOf({ created, deleted }: FolderChanges): { uri: string; type: number }[] {
  const events = (paths: readonly string[], type: number) =>
    paths.map((path) => ({ uri: uriOf(path), type }));
  return [...events(deleted, DELETED), ...events(created, CREATED)];
}

function initialization(root: string): object {
  return {
    processId: process.pid,
    rootUri: uriOf(root),
    workspaceFolders: [{ uri: uriOf(root), name: 'tree' }],
    capabilities: {
      workspace: {
        configuration: true,
        workspaceFolders: true,
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
      textDocument: { diagnostic: { dynamicRegistration: true } },
    },
  };
}

function answerOf(method: string, params: unknown, { empty }: PyrightFolder): unknown {
  if (method !== 'workspace/configuration') return null;
  const { items } = ConfigurationParams.parse(params);
  return items.map(({ section }) => {
    if (section === 'python') return { pythonPath: join(empty, 'python') };
    return section === 'python.analysis' ? { diagnosticMode: 'openFilesOnly' } : {};
  });
}

function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
