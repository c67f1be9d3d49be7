import type { Terminal } from './commands/ports.ts';
import type { Check } from './domain/check.ts';
import { NeedsPerson } from './domain/errors.ts';
import {
  checkGit,
  checkHome,
  checkNode,
  checkSandbox,
  checkTemporal,
} from './local/check-machine.ts';
import { createCapabilityMemory } from './models/capability-file.ts';
import { createOpenAiModel } from './models/openai-model.ts';
import { checkData } from './runs/check-data.ts';
import { chooseModel, DEFAULT_KEY_ENV } from './runs/choose-model.ts';
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

/** A model that does not answer a word in this time would not carry a run either. */
const CALL_TIMEOUT_MS = 60_000;

/** Looks at everything that a run needs, one check after the other; what cannot be looked at is a bad one. */
export async function examine(examination: Examination): Promise<void> {
  const { terminal, onCheck } = examination;
  onCheck(checkNode());
  onCheck(await checkGit());
  onCheck(checkTerminal(terminal));
  onCheck(await checkSandbox());
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
  const { home, isRemote, environment } = settings;
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
  onCheck(await checkModel(settings, examination));
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

/** One call of a few tokens to the model that runs would use. */
async function checkModel(settings: Settings, { isOffline, model }: Examination): Promise<Check> {
  const { environment, baseUrl } = settings;
  const name = 'model';
  const wish = { model: model ?? settings.model, baseUrl, price: undefined, replay: undefined };
  if (wish.model === undefined)
    return {
      ...{ name, result: 'warning', found: 'none is named' },
      remedy: 'Set DEEPREPRO_MODEL, or give --model to `run`.',
    };
  try {
    const choice = chooseModel(
      { ...wish, keyEnv: settings.project.keyEnv ?? DEFAULT_KEY_ENV },
      environment,
    );
    const place = `${choice.model} at ${choice.baseUrl}`;
    if (isOffline)
      return { name, result: 'good', found: `${place}, not asked (--offline)`, remedy: '' };
    const client = createOpenAiModel({
      environment: (variable) => environment[variable],
      capabilities: createCapabilityMemory(),
    });
    const startedAtMs = Date.now();
    await client.reply(
      {
        label: 'doctor',
        endpoint: { baseUrl: choice.baseUrl, keyEnv: choice.keyEnv },
        model: choice.model,
        messages: [{ role: 'user', content: 'Answer with the word yes.' }],
        maxOutputTokens: 256,
      },
      AbortSignal.timeout(CALL_TIMEOUT_MS),
    );
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
    return { name, result: 'good', found: `${place} answered in ${seconds} s`, remedy: '' };
  } catch (error) {
    const remedy = error instanceof NeedsPerson ? error.remedy : '';
    return { name, result: 'bad', found: reasonOf(error), remedy };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
