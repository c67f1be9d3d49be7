import { readFileSync } from 'node:fs';
import { homedir, platform } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { UsageError } from './domain/errors.ts';
import { DEFAULT_TASK_QUEUE } from './domain/task-queue.ts';
import type { ProjectFile } from './domain/project-file.ts';
import { LISTEN_FORM, parseListenAddress, type ListenAddress } from './domain/listen-address.ts';
import { readProjectFile } from './project-file.ts';

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

/** `HOST:PORT` or `PORT`, as text. */
const Listen = Text.transform((text, context) => {
  if (text === undefined) return undefined;
  const address = parseListenAddress(text);
  if (address !== undefined) return address;
  context.addIssue({ code: 'custom', message: LISTEN_FORM, input: text });
  return z.NEVER;
});

const Variables = z.object({
  DEEPREPRO_HOME: Text,
  XDG_DATA_HOME: Text,
  TEMPORAL_ADDRESS: Text,
  TEMPORAL_PROFILE: Text,
  TEMPORAL_CONFIG_FILE: Text,
  DEEPREPRO_TASK_QUEUE: Text,
  TEMPORAL_TASK_QUEUE: Text,
  DEEPREPRO_MODEL: Text,
  DEEPREPRO_VISION: Text,
  OPENAI_BASE_URL: Text,
  DEEPREPRO_MAX_CALLS: count(1, 10_000),
  DEEPREPRO_HEARTBEAT_MS: count(500, 600_000),
  DEEPREPRO_CONTINUE_EVERY: count(1, 10_000),
  DEEPREPRO_OUTAGE_MS: count(0, 86_400_000),
  DEEPREPRO_NOTIFY: Text,
  DEEPREPRO_HEALTH: Listen,
  DEEPREPRO_METRICS: Listen,
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
  /** What `deeprepro.json` of this folder says; `model` and `baseUrl` above have taken it in. */
  readonly project: ProjectFile;
  /** Why `deeprepro.json` cannot be used, where it says nothing for that; else empty. Only what asks for a model minds. */
  readonly projectProblem: string;
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
  /** Where a worker serves `/healthz`; undefined for nowhere. */
  readonly health: ListenAddress | undefined;
  /** Where a worker serves Prometheus metrics; undefined for nowhere. */
  readonly metrics: ListenAddress | undefined;
  readonly isDebug: boolean;
  /** All variables, those of `.env` included where the real environment has none of the name. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Set where the server is this data folder's own: it has no key, no TLS, and no profile speaks of it. */
const LOCAL_SERVER = 'DEEPREPRO_LOCAL_SERVER';
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
  const { project, projectProblem } = readProject(folder);
  const { TEMPORAL_ADDRESS, TEMPORAL_PROFILE, TEMPORAL_CONFIG_FILE } = variables;
  return {
    home: resolve(folder, variables.DEEPREPRO_HOME ?? platformFolder(variables.XDG_DATA_HOME)),
    isRemote: (TEMPORAL_ADDRESS ?? TEMPORAL_PROFILE ?? TEMPORAL_CONFIG_FILE) !== undefined,
    taskQueue:
      variables.DEEPREPRO_TASK_QUEUE ?? variables.TEMPORAL_TASK_QUEUE ?? DEFAULT_TASK_QUEUE,
    model: variables.DEEPREPRO_MODEL ?? project.model,
    vision: variables.DEEPREPRO_VISION,
    baseUrl: variables.OPENAI_BASE_URL ?? project.baseUrl,
    project,
    projectProblem,
    maxCalls: variables.DEEPREPRO_MAX_CALLS,
    heartbeatMs: variables.DEEPREPRO_HEARTBEAT_MS ?? DEFAULT_HEARTBEAT_MS,
    continueEvery: variables.DEEPREPRO_CONTINUE_EVERY,
    outageMs: variables.DEEPREPRO_OUTAGE_MS ?? DEFAULT_OUTAGE_MS,
    notifies: variables.DEEPREPRO_NOTIFY !== undefined,
    health: variables.DEEPREPRO_HEALTH,
    metrics: variables.DEEPREPRO_METRICS,
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

/**
 * How to connect to Temporal: elsewhere by the standard variables and profile, read by Temporal's own package; a worker
 * of this data folder's own server by its address alone. Throws `UsageError` for a profile that cannot be used.
 */
export async function loadTemporalProfile(environment: Settings['environment']) {
  const { loadClientConnectConfig } = await import('@temporalio/envconfig');
  // An empty variable would else hide the profile's value.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const { [LOCAL_SERVER]: isLocal, TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE } = set;
  try {
    if (isLocal === undefined) return loadClientConnectConfig({ overrideEnvVars: set });
    const only = Object.entries({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE });
    return loadClientConnectConfig({
      disableFile: true,
      overrideEnvVars: definedOnly(Object.fromEntries(only)),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `The TEMPORAL_… variables or their profile cannot be used (${reason}): correct them, or unset TEMPORAL_ADDRESS, TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE to run on this machine.`,
      { cause: error },
    );
  }
}

/** What a broken file says counts for nothing; most commands have no use for it. */
function readProject(folder: string): Pick<Settings, 'project' | 'projectProblem'> {
  try {
    return { project: readProjectFile(folder), projectProblem: '' };
  } catch (error) {
    if (error instanceof UsageError) return { project: {}, projectProblem: error.message };
    throw error;
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
