import { readFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { UsageError } from './domain/errors.ts';
import { DEFAULT_TASK_QUEUE } from './domain/task-queue.ts';

/** An empty variable is one that is not set. */
const Text = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text.trim() === '' ? undefined : text));

/** A whole number in a range, as text. */
const count = (least: number, most: number) =>
  Text.transform((text, context) => {
    if (text === undefined) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    context.addIssue({
      code: 'custom',
      message: `a whole number from ${least} to ${most}`,
      input: text,
    });
    return z.NEVER;
  });

const Variables = z.object({
  DEEPREPRO_HOME: Text,
  XDG_DATA_HOME: Text,
  TEMPORAL_ADDRESS: Text,
  TEMPORAL_PROFILE: Text,
  TEMPORAL_CONFIG_FILE: Text,
  DEEPREPRO_TASK_QUEUE: Text,
  DEEPREPRO_MODEL: Text,
  DEEPREPRO_VISION: Text,
  OPENAI_BASE_URL: Text,
  DEEPREPRO_MAX_CALLS: count(1, 10_000),
  DEEPREPRO_HEARTBEAT_MS: count(500, 600_000),
  DEEPREPRO_CONTINUE_EVERY: count(1, 10_000),
  DEEPREPRO_OUTAGE_MS: count(0, 86_400_000),
  DEEPREPRO_NOTIFY: Text,
  DEEPREPRO_DEBUG: Text,
});

/** What the environment says, parsed once by each root. */
export interface Settings {
  /** The data folder; absolute. */
  readonly home: string;
  /** Whether Temporal is somewhere else, as the standard `TEMPORAL_…` variables say, instead of on this data folder. */
  readonly isRemote: boolean;
  readonly taskQueue: string;
  readonly model: string | undefined;
  /** The model that is shown the figures. */
  readonly vision?: string | undefined;
  readonly baseUrl: string | undefined;
  /** Model calls of one worker under way at once, over all its runs; undefined for no bound of its own. */
  readonly maxCalls: number | undefined;
  /** After this long without a heartbeat an activity is tried again; new runs keep it. */
  readonly heartbeatMs: number;
  /** New runs continue as new after this many rounds; undefined leaves it to the server. */
  readonly continueEvery: number | undefined;
  /** An endpoint that could not be reached for so long becomes a wait for a person. */
  readonly outageMs: number;
  /** Whether a desktop notification says that a run has ended or waits. */
  readonly notifies: boolean;
  readonly isDebug: boolean;
  /** All variables, those of `.env` included where the real environment has none of the name. */
  readonly environment: Readonly<Record<string, string>>;
}

const DEFAULT_HEARTBEAT_MS = 30_000;
/** A laptop that wakes up, or a router that starts again, takes less. */
const DEFAULT_OUTAGE_MS = 5 * 60_000;

/**
 * Reads settings from the environment and from `.env` in `folder`; the environment wins. Throws `UsageError` that
 * names the variable, or the line of a broken `.env`; values of variables are shown only where none can be a key.
 */
export function readSettings(
  real: Readonly<Record<string, string | undefined>> = process.env,
  folder: string = process.cwd(),
): Settings {
  const environment = { ...readEnvFile(join(folder, '.env')), ...definedOnly(real) };
  const parsed = Variables.safeParse(environment);
  if (!parsed.success) throw new UsageError(describeIssue(parsed.error, environment));
  const variables = parsed.data;
  const { TEMPORAL_ADDRESS, TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE } = variables;
  return {
    home: resolve(folder, variables.DEEPREPRO_HOME ?? platformFolder(variables.XDG_DATA_HOME)),
    isRemote: (TEMPORAL_ADDRESS ?? TEMPORAL_PROFILE ?? TEMPORAL_CONFIG_FILE) !== undefined,
    taskQueue: variables.DEEPREPRO_TASK_QUEUE ?? DEFAULT_TASK_QUEUE,
    model: variables.DEEPREPRO_MODEL,
    vision: variables.DEEPREPRO_VISION,
    baseUrl: variables.OPENAI_BASE_URL,
    maxCalls: variables.DEEPREPRO_MAX_CALLS,
    heartbeatMs: variables.DEEPREPRO_HEARTBEAT_MS ?? DEFAULT_HEARTBEAT_MS,
    continueEvery: variables.DEEPREPRO_CONTINUE_EVERY,
    outageMs: variables.DEEPREPRO_OUTAGE_MS ?? DEFAULT_OUTAGE_MS,
    notifies: variables.DEEPREPRO_NOTIFY !== undefined,
    isDebug: variables.DEEPREPRO_DEBUG !== undefined,
    environment,
  };
}

/** The folders of a data folder that client and worker share. */
export function foldersOf(
  home: string,
): Readonly<Record<'store' | 'journal' | 'runs' | 'batches', string>> {
  return {
    store: join(home, 'store'),
    journal: join(home, 'journal'),
    runs: join(home, 'runs'),
    batches: join(home, 'batches'),
  };
}

/** How to connect to Temporal elsewhere: the standard variables and profile, read by Temporal's own package. */
export async function loadTemporalProfile(environment: Settings['environment']) {
  const { loadClientConnectConfig } = await import('@temporalio/envconfig');
  try {
    return loadClientConnectConfig({ overrideEnvVars: { ...environment } });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `The TEMPORAL_… variables or their profile cannot be used (${reason}): correct them, or unset TEMPORAL_ADDRESS, TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE to run on this machine.`,
      { cause: error },
    );
  }
}

function platformFolder(xdgDataHome: string | undefined): string {
  if (xdgDataHome !== undefined) return join(xdgDataHome, 'deeprepro');
  if (platform() === 'darwin')
    return join(homedir(), 'Library', 'Application Support', 'deeprepro');
  return join(homedir(), '.local', 'share', 'deeprepro');
}

function readEnvFile(path: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new UsageError(`${path} cannot be read: make it a readable file, or remove it.`, {
      cause: error,
    });
  }
  checkEnvFile(path, text);
  return definedOnly(parseEnv(text));
}

/** Node passes over what it does not understand; a person should hear of it instead. */
function checkEnvFile(path: string, text: string): void {
  let openQuote: string | undefined;
  let openedAt = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (openQuote !== undefined) {
      if (line.includes(openQuote)) openQuote = undefined;
      continue;
    }
    if (/^\s*(#.*)?$/.test(line)) continue;
    const match = /^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_.-]*\s*=\s*(.*)$/.exec(line);
    if (!match) throw brokenLine(path, index);
    const value = match[1] ?? '';
    const quote = /^["'`]/.exec(value)?.[0];
    if (quote === undefined || value.indexOf(quote, 1) > 0) continue;
    openQuote = quote;
    openedAt = index;
  }
  if (openQuote !== undefined)
    throw brokenLine(path, openedAt, ' The quote that it opens never ends.');
}

/** Says where, never what: the line may hold a key. */
function brokenLine(path: string, index: number, why = ''): UsageError {
  return new UsageError(
    `Line ${index + 1} of ${path} is not NAME=value: correct or remove it.${why}`,
  );
}

function describeIssue(error: z.ZodError, environment: Record<string, string>): string {
  const [issue] = error.issues;
  const name = String(issue?.path[0] ?? '');
  return `Expected ${name} to be ${issue?.message ?? 'something else'}, got "${environment[name] ?? ''}".`;
}

function definedOnly(
  variables: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
