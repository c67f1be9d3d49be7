import { checkModels } from './client-doctor-models.ts';
import type { Terminal } from './commands/ports.ts';
import type { Check } from './domain/check.ts';
import { checkGit, checkHome, checkNode, checkTemporal } from './local/check-machine.ts';
import { checkSandbox } from './local/check-sandbox.ts';
import { checkData } from './runs/check-data.ts';
import { foldersOf, loadTemporalProfile, type Settings } from './settings.ts';
import { createFolderJournal } from './store/folder-journal.ts';
import { createFolderKeeper } from './store/folder-keeper.ts';
import { createRunFolders } from './store/run-folders.ts';

interface Examination {
  readonly isOffline: boolean;
  readonly model: string | undefined;
  readonly terminal: Terminal;
  readonly settings: () => Settings;
  readonly onCheck: (check: Check) => void;
}

/** Looks at everything that a run needs, one check after the other; what cannot be looked at is a bad one. */
export async function examine(examination: Examination): Promise<void> {
  const { terminal, onCheck } = examination;
  onCheck(checkNode());
  onCheck(await checkGit());
  onCheck(checkTerminal(terminal));
  for (const check of await checkSandbox()) onCheck(check);
  let settings: Settings;
  try {
    settings = examination.settings();
  } catch (error) {
    onCheck({
      name: 'settings',
      result: 'bad',
      found: reasonOf(error),
      remedy: 'Correct it in the environment or in .env.',
    });
    return;
  }
  const { home, isRemote, environment, projectProblem } = settings;
  if (projectProblem !== '')
    onCheck({ name: 'settings', result: 'bad', found: projectProblem, remedy: '' });
  onCheck(await checkProfile(settings));
  onCheck(await checkTemporal(environment, isRemote));
  for (const check of await checkHome(home)) onCheck(check);
  const folders = foldersOf(home);
  const data = {
    keeper: createFolderKeeper(folders.store),
    journal: createFolderJournal(folders.journal),
    folders: createRunFolders(folders.runs),
  };
  for (const check of await checkData(data)) onCheck(check);
  for await (const check of checkModels(settings, examination)) onCheck(check);
}

function checkTerminal(terminal: Terminal): Check {
  const { isLive, hasColors } = terminal;
  const found = isLive
    ? `${terminal.columns()} columns, ${hasColors ? 'colours' : 'no colours'}`
    : 'none: progress is told in plain lines';
  return { name: 'terminal', result: 'good', found, remedy: '' };
}

async function checkProfile({ isRemote, environment, taskQueue }: Settings): Promise<Check> {
  const name = 'engine';
  if (!isRemote)
    return { name, result: 'good', found: "this machine's own, started when needed", remedy: '' };
  try {
    const { connectionOptions, namespace } = await loadTemporalProfile(environment);
    const address = connectionOptions.address ?? 'localhost:7233';
    const found = `${address}, namespace "${namespace ?? 'default'}", task queue "${taskQueue}"`;
    return { name, result: 'good', found, remedy: '' };
  } catch (error) {
    return { name, result: 'bad', found: reasonOf(error), remedy: '' };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
