import { modelWishOf } from './commands/model-options.ts';
import type { CommandSettings } from './commands/ports.ts';
import type { Check } from './domain/check.ts';
import { NeedsPerson } from './domain/errors.ts';
import { Role } from './domain/message.ts';
import type { ModelChoice } from './domain/run-settings.ts';
import { createCapabilityMemory } from './models/capability-file.ts';
import { createOpenAiModel } from './models/openai-model.ts';
import { chooseModel } from './runs/choose-model.ts';
import { NO_VISION, type ModelWish } from './runs/choose-models.ts';

/** A model that does not answer a word in this time would not carry a run either. */
const CALL_TIMEOUT_MS = 60_000;

/** What to ask: no model at all where `isOffline`; `model` in the place of the one that the settings name. */
export interface ModelExamination {
  readonly isOffline: boolean;
  readonly model: string | undefined;
}

/** One call of a few tokens to each model that runs would use; a role whose model is asked already is passed over. */
export async function* checkModels(
  settings: CommandSettings,
  { isOffline, model }: ModelExamination,
): AsyncGenerator<Check> {
  // What is wrong with the project file is told already: the rest is looked at as if it were not there.
  const wish = modelWishOf(model === undefined ? {} : { model }, {
    ...settings,
    projectProblem: '',
  });
  const { environment } = settings;
  if (wish.model === undefined) {
    yield {
      ...{ name: 'model', result: 'warning', found: 'none is named' },
      remedy: 'Set DEEPREPRO_MODEL, or give --model to `run`.',
    };
    return;
  }
  const asked = new Set<string>();
  for (const { name, choose } of choicesOf(wish, environment)) {
    const check = await checkChoice(name, choose, environment, isOffline, asked);
    if (check) yield check;
  }
}

interface NamedChoice {
  readonly name: string;
  /** Throws `UsageError` where it cannot be used. */
  readonly choose: () => ModelChoice;
}

function choicesOf(wish: ModelWish, environment: CommandSettings['environment']): NamedChoice[] {
  const main = (): ModelChoice => chooseModel(wish, environment);
  const roles = Role.options.flatMap((role) => {
    const other = wish.roles?.[role];
    if (other === undefined || other.model === NO_VISION) return [];
    const { model, baseUrl, keyEnv } = other;
    // Not by way of the main choice, whose key may be the one that is missing.
    const own = { ...wish, model, baseUrl: baseUrl ?? wish.baseUrl, keyEnv: keyEnv ?? wish.keyEnv };
    return [{ name: role, choose: () => chooseModel(own, environment) }];
  });
  return [{ name: 'model', choose: main }, ...roles];
}

async function checkChoice(
  name: string,
  choose: () => ModelChoice,
  environment: CommandSettings['environment'],
  isOffline: boolean,
  asked: Set<string>,
): Promise<Check | undefined> {
  try {
    const { model, baseUrl, keyEnv } = choose();
    const place = `${model} at ${baseUrl}`;
    if (asked.has(`${keyEnv} ${place}`)) return undefined;
    asked.add(`${keyEnv} ${place}`);
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
        endpoint: { baseUrl, keyEnv },
        model,
        messages: [{ role: 'user', content: 'Answer with the word yes.' }],
        maxOutputTokens: 256,
      },
      AbortSignal.timeout(CALL_TIMEOUT_MS),
    );
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
    return { name, result: 'good', found: `${place} answered in ${seconds} s`, remedy: '' };
  } catch (error) {
    const remedy = error instanceof NeedsPerson ? error.remedy : '';
    const found = error instanceof Error ? error.message : String(error);
    return { name, result: 'bad', found, remedy };
  }
}
