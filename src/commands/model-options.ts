import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import type { ModelChange } from '../runs/change-model.ts';
import { DEFAULT_KEY_ENV, type ModelWish } from '../runs/choose-models.ts';
import type { CommandSettings } from './ports.ts';

/** Options that name a model, as given. */
export interface ModelOptions {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly price?: string;
  readonly vision?: string;
}

/** Adds the options that name a model. */
export function addModelOptions(command: Command): Command {
  return command
    .option('--model <name>', 'the model that does the work (or DEEPREPRO_MODEL)')
    .option('--base-url <url>', 'any OpenAI-compatible server (or OPENAI_BASE_URL)')
    .option('--key-env <name>', `variable that holds the API key (default: ${DEFAULT_KEY_ENV})`)
    .option(
      '--vision <name>',
      'a model that is shown the figures too (or DEEPREPRO_VISION); none for none',
    )
    .option('--price <in,out>', 'USD per million tokens, for a model whose price is not known');
}

/** The wish that options and environment make together; options win. */
export function modelWishOf(
  options: ModelOptions & { readonly replay?: string },
  settings: CommandSettings,
): ModelWish {
  if (options.replay !== undefined && options.baseUrl !== undefined)
    throw new UsageError('Give either --replay or --base-url: recorded replies need no server.');
  return {
    model: options.model ?? settings.model,
    baseUrl: options.baseUrl ?? settings.baseUrl,
    keyEnv: options.keyEnv ?? DEFAULT_KEY_ENV,
    price: options.price,
    vision: options.vision ?? settings.vision,
    replay: options.replay === undefined ? undefined : resolve(options.replay),
  };
}

/** What the options change of a run's model; undefined where none is given. */
export function modelChangeOf(
  { model, baseUrl, keyEnv, price, vision }: ModelOptions,
  { environment }: Pick<CommandSettings, 'environment'>,
): ModelChange | undefined {
  if ([model, baseUrl, keyEnv, price, vision].every((each) => each === undefined)) return undefined;
  return { model, baseUrl, keyEnv, price, vision, environment };
}
