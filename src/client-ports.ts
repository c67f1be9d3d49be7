import { fileURLToPath } from 'node:url';
import type { Ports, Verbosity, WorkerOptions } from './commands/ports.ts';
import { createEngines, type Engines } from './client-engines.ts';
import { readOwnVersion } from './local/version.ts';
import type { RunPorts, SourceText } from './runs/ports.ts';
import { foldersOf, readSettings, type Settings } from './settings.ts';
import { createBatchFolders } from './store/batch-folders.ts';
import { createFolderJournal } from './store/folder-journal.ts';
import { createFolderKeeper } from './store/folder-keeper.ts';
import { createFolderStore } from './store/folder-store.ts';
import { createRunFolders } from './store/run-folders.ts';

/** The command line's ports on the real world. Nothing is read or opened before a command asks for it. */
export function createPorts(): Ports & { close(): Promise<void> } {
  const settings = once(() => readSettings());
  const manner: { verbosity: Verbosity; notifies: boolean } = {
    verbosity: 'normal',
    notifies: false,
  };
  const terminal = createTerminal(() => manner.verbosity);
  let engines: Engines | undefined;
  const opened = () => (engines ??= createEngines(settings(), (line) => terminal.err(line)));
  const runs = once((): RunPorts => {
    const folders = foldersOf(settings().home);
    return {
      store: createFolderStore(folders.store),
      journal: createFolderJournal(folders.journal),
      folders: createRunFolders(folders.runs),
      async git(command) {
        const { runGit } = await import('./processes/git.ts');
        return runGit(command);
      },
      async checkPaper(paper, supplements) {
        const [{ readPaper }, { createPdfReader }, { runNodeModule }] = await Promise.all([
          import('./papers/read-paper.ts'),
          import('./papers/read-pdf.ts'),
          import('./local/run-node-module.ts'),
        ]);
        const sourceOf = ({ name, content }: SourceText) => ({ name, bytes: content });
        const pdf = createPdfReader(runNodeModule);
        const read = await readPaper(sourceOf(paper), supplements.map(sourceOf), pdf);
        const texts = [read.paper, ...read.supplements];
        return { characters: texts.reduce((sum, { markdown }) => sum + markdown.length, 0) };
      },
      engine: (keyNames = []) => opened().engine(keyNames),
      engineIfUp: () => opened().engineIfUp(),
    };
  });
  return {
    version: readOwnVersion(),
    terminal,
    batches: once(() => createBatchFolders(foldersOf(settings().home).batches)),
    settings,
    runs,
    keeping: () => ({ ...runs(), keeper: createFolderKeeper(foldersOf(settings().home).store) }),
    async checkData() {
      const { checkDataFolder } = await import('./local/data-folder.ts');
      await checkDataFolder(settings().home);
    },
    async down() {
      const { downLocal } = await import('./local/connect.ts');
      return downLocal(settings().home);
    },
    leave: () => opened().leave(),
    async close() {
      await engines?.close();
    },
    async doctor(options) {
      const { examine } = await import('./client-doctor.ts');
      await examine({ ...options, terminal, settings });
    },
    confirm: (question) => confirm(question),
    async notify(title, text) {
      if (!manner.notifies && !settings().notifies) return;
      const { notifyDesktop } = await import('./local/notify-desktop.ts');
      await notifyDesktop(title, text);
    },
    setManner(wish) {
      manner.verbosity = wish.verbosity ?? manner.verbosity;
      manner.notifies = wish.notifies ?? manner.notifies;
    },
    runWorker: (options) => runWorkerHere(withOptions(settings(), options), terminal),
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      return () => void process.off('SIGINT', listener);
    },
    exitNow: (code) => process.exit(code),
    setExitCode: (code) => void (process.exitCode = code),
    demo: {
      paper: packagePath('demo/paper.tex'),
      replies: {
        fast: packagePath('demo/replies'),
        deepplan: packagePath('demo/replies-deepplan'),
      },
    },
  };
}

function createTerminal(verbosity: () => Verbosity): Ports['terminal'] {
  const { stdout, stderr } = process;
  const isLive = stdout.isTTY && process.env['TERM'] !== 'dumb';
  return {
    out: (text) => void stdout.write(`${text}\n`),
    err: (text) => void stderr.write(`${text}\n`),
    note: (text) => {
      if (verbosity() !== 'quiet') stderr.write(`${text}\n`);
    },
    verbosity,
    isLive,
    hasColors: isLive && (process.env['NO_COLOR'] ?? '') === '',
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    stream: stdout,
  };
}

/** Undefined where no person is at the terminal. */
async function confirm(question: string): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const asking = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } catch {
    return false;
  } finally {
    asking.close();
  }
}

/** The command line wins over the environment. */
function withOptions(settings: Settings, options: WorkerOptions): Settings {
  const { maxCalls, health, metrics } = options;
  return {
    ...settings,
    maxCalls: maxCalls ?? settings.maxCalls,
    health: health ?? settings.health,
    metrics: metrics ?? settings.metrics,
  };
}

async function runWorkerHere(settings: Settings, terminal: Ports['terminal']): Promise<void> {
  const [{ createDeps, runWorker }, { prepareDataFolder }] = await Promise.all([
    import('./worker.ts'),
    import('./local/data-folder.ts'),
  ]);
  await prepareDataFolder(settings.home);
  await runWorker(settings, await createDeps(settings), () =>
    terminal.err(`The worker serves task queue "${settings.taskQueue}"; Ctrl-C ends it.`),
  );
}

/** A file of the package, both from source and built. */
function packagePath(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
