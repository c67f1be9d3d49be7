import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, symlink, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findTemporal } from '../../src/local/temporal-binary.ts';
import { runCommand } from '../../src/processes/run-command.ts';

/** Folders with the programs that the images of docker-compose.yml hold. */
export interface Programs {
  /** `temporal-server`, `temporal-sql-tool`, `temporal`. */
  readonly temporal: string;
  /** `initdb`, `postgres`, `pg_isready`. */
  readonly postgres: string;
}

/** Why there are none, in a sentence. */
export interface Missing {
  readonly missing: string;
}

const BUILD_TIMEOUT_MS = 3_600_000;
const POSTGRES_ROOT = '/usr/lib/postgresql';

/**
 * Finds or builds the programs. Temporal's are built from its Go module, which takes 8 minutes on two cores, and kept
 * under ~/.cache/deeprepro/temporal-go, or in the folder that DEEPREPRO_TEMPORAL_PROGRAMS names.
 */
export async function findPrograms(version: string): Promise<Programs | Missing> {
  const postgres = findPostgres();
  if (postgres === undefined)
    return { missing: 'PostgreSQL is not here: apt-get install postgresql.' };
  const usual = join(homedir(), '.cache', 'deeprepro', 'temporal-go', version);
  const folder = process.env['DEEPREPRO_TEMPORAL_PROGRAMS'] ?? usual;
  await mkdir(folder, { recursive: true });
  const builds = [
    { from: 'cmd/server', made: 'server', name: 'temporal-server' },
    { from: 'cmd/tools/sql', made: 'sql', name: 'temporal-sql-tool' },
  ];
  for (const { from, made, name } of builds) {
    if (existsSync(join(folder, name))) continue;
    const failure = await build(`go.temporal.io/server/${from}@v${version}`, folder);
    if (failure !== '') return { missing: `${name} is not in ${folder}, and ${failure}` };
    await rename(join(folder, made), join(folder, name));
  }
  const { path } = await findTemporal({ environment: process.env, report: () => undefined });
  await unlink(join(folder, 'temporal')).catch(() => undefined);
  await symlink(path, join(folder, 'temporal'));
  return { temporal: folder, postgres };
}

async function build(module: string, folder: string): Promise<string> {
  console.log(`      building ${module}; this takes minutes, once`);
  const result = await runCommand({
    command: 'go',
    args: ['install', '-ldflags=-s -w', module],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOBIN: folder },
    timeoutMs: BUILD_TIMEOUT_MS,
  });
  if (!result.started) return 'Go is not here to build it: install Go 1.26 (https://go.dev).';
  return result.exitCode === 0 ? '' : `it cannot be built: ${result.failure}`;
}

function findPostgres(): string | undefined {
  const versions = existsSync(POSTGRES_ROOT) ? readdirSync(POSTGRES_ROOT).map(Number) : [];
  const debian = versions
    .sort((one, other) => other - one)
    .map((v) => join(POSTGRES_ROOT, `${v}`, 'bin'));
  const onPath = (process.env['PATH'] ?? '').split(delimiter);
  return [...debian, ...onPath].find((folder) => existsSync(join(folder, 'initdb')));
}
