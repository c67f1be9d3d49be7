import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import type { Role } from '../domain/message.ts';
import type { RoleWishes } from '../domain/project-file.ts';
import type { ModelChange } from '../runs/change-model.ts';
import { DEFAULT_KEY_ENV } from '../runs/choose-model.ts';
import type { ModelWish } from '../runs/choose-models.ts';
import type { CommandSettings } from './ports.ts';

/** Options that name a model, as given. */
export interface ModelOptions extends Readonly<Partial<Record<Role, string>>> {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly price?: string;
}

/** What each role does, for those who give it a model of its own. */
const WORK: Readonly<Record<Exclude<Role, 'vision'>, string>> = {
  analysis: 'reads the paper',
  planner: 'plans the repository and its rounds',
  executor: 'writes the files',
  memory: 'takes notes on written files',
  judge: 'checks what was written',
};

/** Adds the options that name a model. */
export function addModelOptions(command: Command): Command {
  command
    .option('--model <name>', 'the model that does the work (or DEEPREPRO_MODEL)')
    .option('--base-url <url>', 'any OpenAI-compatible server (or OPENAI_BASE_URL)')
    .option('--key-env <name>', `variable that holds the API key (default: ${DEFAULT_KEY_ENV})`);
  for (const [role, work] of Object.entries(WORK))
    command.option(`--${role} <name>`, `another model that ${work}`);
  return command
    .option(
      '--vision <name>',
      'a model that is shown the figures too (or DEEPREPRO_VISION); none for none',
    )
    .option('--price <in,out>', 'USD per million tokens, for a model whose price is not known');
}

/**
 * The wish that options, environment and `deeprepro.json` make together, in this order. Throws `UsageError` for options
 * that exclude each other, and where `deeprepro.json` cannot be used.
 */
export function modelWishOf(
  options: ModelOptions & { readonly replay?: string },
  settings: CommandSettings,
): ModelWish {
  if (options.replay !== undefined && options.baseUrl !== undefined)
    throw new UsageError('Give either --replay or --base-url: recorded replies need no server.');
  const { project, projectProblem } = settings;
  if (projectProblem !== '') throw new UsageError(projectProblem);
  const model = options.model ?? settings.model;
  return {
    model,
    baseUrl: options.baseUrl ?? settings.baseUrl,
    keyEnv: options.keyEnv ?? project.keyEnv ?? DEFAULT_KEY_ENV,
    // The price is the one of the model that stands beside it.
    price: options.price ?? (model === project.model ? project.price : undefined),
    replay: options.replay === undefined ? undefined : resolve(options.replay),
    roles: { ...project.roles, ...visionOf(settings), ...rolesOf(options) },
  };
}

/** What the options change of a run's model; undefined where none is given. */
export function modelChangeOf(
  options: ModelOptions,
  { environment }: Pick<CommandSettings, 'environment'>,
): ModelChange | undefined {
  const { model, baseUrl, keyEnv, price } = options;
  const roles = rolesOf(options);
  const isNone = [model, baseUrl, keyEnv, price].every((each) => each === undefined);
  if (isNone && Object.keys(roles).length === 0) return undefined;
  return { model, baseUrl, keyEnv, price, roles, environment };
}

/** The options that name a model, out of all that were given. */
export function modelOptionsIn(given: {
  readonly [Field in keyof ModelOptions]?: string | undefined;
}): ModelOptions {
  const names = [...Object.keys(WORK), 'vision', 'model', 'baseUrl', 'keyEnv', 'price'];
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined),
  );
}

function rolesOf(options: ModelOptions): RoleWishes {
  const { analysis, planner, executor, memory, judge, vision } = options;
  const named = Object.entries({ analysis, planner, executor, memory, judge, vision });
  return Object.fromEntries(
    named.flatMap(([role, model]) => (model === undefined ? [] : [[role, { model }]])),
  );
}

function visionOf({ vision }: CommandSettings): RoleWishes {
  return vision === undefined ? {} : { vision: { model: vision } };
}
