import { devNull } from 'node:os';
import { runCommand, type CommandResult } from './run-command.ts';

/** One git command on one repository. */
export interface GitCommand {
  readonly args: readonly string[];
  /** Working folder of the command. */
  readonly cwd: string;
  /** The repository's own folder (`…/.git`), so that none is looked for; left out only where one is made. */
  readonly gitFolder?: string;
  /** Index to work on instead of the repository's own. */
  readonly indexFile?: string;
  readonly input?: string | Uint8Array;
}

const GIT_TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 100_000_000;
/** Switched off by the command line, which is above a repository's own settings. */
const SETTINGS = [
  ...[`core.hooksPath=${devNull}`, 'core.fsmonitor=false', 'core.autocrlf=false', 'gc.auto=0'],
  ...['core.quotePath=false', 'core.pager=cat', 'advice.detachedHead=false'],
];

/**
 * Runs git without anything of the person's: no identity, hooks, templates, signatures or settings of theirs, and in
 * no repository but the one that is named. Never throws; `started` is false where there is no git.
 */
export function runGit({
  args,
  cwd,
  gitFolder,
  indexFile,
  input,
}: GitCommand): Promise<CommandResult> {
  return runCommand({
    command: 'git',
    args: [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args],
    cwd,
    env: {
      PATH: process.env['PATH'],
      LC_ALL: 'C',
      // An older git does not know the first two; without HOME it finds no settings either.
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_SYSTEM: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      // Names of commits must not depend on what a future git prefers.
      GIT_DEFAULT_HASH: 'sha1',
      GIT_DEFAULT_REF_FORMAT: 'files',
      ...(gitFolder === undefined ? {} : { GIT_DIR: gitFolder, GIT_WORK_TREE: cwd }),
      ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    },
    timeoutMs: GIT_TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(input === undefined ? {} : { input }),
  });
}
