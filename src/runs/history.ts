import { copyFile, lstat, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { stateOfMessage } from '../domain/round-message.ts';
import type { RoundState } from '../store/round-states.ts';
import { readRoundStates } from '../store/round-states.ts';
import { hasCode } from '../store/durable.ts';
import { importStream } from './import-stream.ts';
import type { GitAnswer, RunPorts } from './ports.ts';

/** What was done to the history of an exported repository. */
export interface HistoryDone {
  /** Commits made now. */
  readonly commits: number;
  /** A sentence where there is no history, or not all of it; else empty. */
  readonly note: string;
}

/** Where the history is kept and what it is to hold. */
export interface HistoryWish {
  readonly folder: string;
  /** A folder on the same disk for what is under way. */
  readonly temporaries: string;
  readonly run: string;
  readonly createdAt: string;
  /** The state whose round is to be the last one. */
  readonly head: RoundState;
}

/** Ours alone: whatever stands there is made anew. */
const OURS = 'refs/heads/deeprepro';
/** What is checked out. It moves on for as long as nobody else has committed to it. */
const MAIN = 'refs/heads/main';
/** In `.git`, so that our repository is known from a person's; holds the commit that the index was last made from. */
const NOTE = 'deeprepro.json';
const Note = z.object({ run: z.string(), index: z.string() });
/** A lock of git's that is older is of a process that died: git holds one for milliseconds. */
const STALE_LOCK_MS = 10_000;

/**
 * Brings the history in `folder/.git` up to a state: one commit a round, also of rounds that nobody exported. Does
 * nothing in a person's own repository. Where git fails the files are right all the same, so that is a note, no error.
 */
export async function bringHistory(ports: RunPorts, wish: HistoryWish): Promise<HistoryDone> {
  const gitFolder = join(wish.folder, '.git');
  const owner = await ownerOf(gitFolder);
  if (owner === 'theirs')
    return none('The folder is a git repository of yours, so no commits are made in it.');
  const repository = openRepository(ports, wish, gitFolder);
  const problem = owner === 'nobody' ? await makeRepository(ports, wish, gitFolder) : '';
  if (problem !== '') return none(problem);
  return commitRounds(ports, wish, repository);
}

function none(note: string): HistoryDone {
  return { commits: 0, note };
}

async function ownerOf(gitFolder: string): Promise<'ours' | 'theirs' | 'nobody'> {
  try {
    if (!(await lstat(gitFolder)).isDirectory()) return 'theirs';
    return (await stat(join(gitFolder, NOTE))).isFile() ? 'ours' : 'theirs';
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return (await lstat(gitFolder).catch(() => undefined)) ? 'theirs' : 'nobody';
  }
}

/** Made aside and moved into place whole, so that a crash leaves no repository of which nobody knows whose it is. */
async function makeRepository(
  { git }: RunPorts,
  { folder, temporaries, run }: HistoryWish,
  gitFolder: string,
): Promise<string> {
  const made = join(temporaries, 'repository');
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  const answer = await git({ args: ['init', '--quiet', '--template=', '.'], cwd: made });
  if (!answer.started)
    return 'git is not installed, so the folder has no history; the files are written all the same.';
  if (answer.exitCode !== 0) return failed(folder, answer);
  await writeFile(join(made, '.git', 'HEAD'), `ref: ${MAIN}\n`);
  await writeFile(join(made, '.git', NOTE), JSON.stringify({ run, index: '' }));
  await rename(join(made, '.git'), gitFolder);
  return '';
}

interface Repository {
  readonly gitFolder: string;
  readonly git: (
    args: readonly string[],
    more?: { readonly input?: Uint8Array; readonly indexFile?: string },
  ) => Promise<GitAnswer>;
}

function openRepository({ git }: RunPorts, { folder }: HistoryWish, gitFolder: string): Repository {
  return {
    gitFolder,
    git: (args, more = {}) => git({ args, cwd: folder, gitFolder, ...more }),
  };
}

async function commitRounds(
  { store }: RunPorts,
  wish: HistoryWish,
  repository: Repository,
): Promise<HistoryDone> {
  await removeStaleLocks(repository);
  const refs = await readRefs(repository);
  if ('note' in refs) return refs;
  const { ours, main } = refs;
  const made = ours && stateOfMessage(ours.message);
  const { before, rounds } = await readRoundStates(store, wish.head.stateRef, made);
  const goesOn = ours !== undefined && before.round > 0;
  if (goesOn && rounds.length === 0)
    return { commits: 0, note: await follow(repository, wish, ours.commit) };
  if (rounds.length === 0) return none('');
  const stream = await importStream(store, {
    ...{ before, rounds, createdAt: wish.createdAt, branch: OURS },
    parent: goesOn ? ours.commit : undefined,
    followers: (await isFollower(repository, main, ours?.commit)) ? [MAIN] : [],
  });
  const args = ['fast-import', '--quiet', '--force', '--done', '--date-format=raw'];
  const answer = await repository.git(args, { input: stream });
  if (answer.exitCode !== 0) return none(failed(wish.folder, answer));
  const now = await readRefs(repository);
  if ('note' in now || !now.ours) return none('');
  return { commits: rounds.length, note: await follow(repository, wish, now.ours.commit) };
}

interface KnownRefs {
  readonly ours: { readonly commit: string; readonly message: string } | undefined;
  readonly main: string | undefined;
}

async function readRefs({ git, gitFolder }: Repository): Promise<KnownRefs | HistoryDone> {
  const format = '%(refname)%00%(objectname)%00%(contents)%00';
  const answer = await git(['for-each-ref', `--format=${format}`, OURS, MAIN]);
  if (!answer.started)
    return none('git is not installed, so the history stays as it is; the files are up to date.');
  if (answer.exitCode !== 0) return none(failed(gitFolder, answer));
  const fields = answer.stdout.split('\0');
  const find = (name: string) => {
    const at = fields.findIndex((field) => field.trim() === name);
    return at === -1 ? undefined : { commit: fields[at + 1] ?? '', message: fields[at + 2] ?? '' };
  };
  return { ours: find(OURS), main: find(MAIN)?.commit };
}

/** Whether `main` holds nothing but our rounds, so that it may move on. */
async function isFollower(
  { git }: Repository,
  main: string | undefined,
  ours: string | undefined,
): Promise<boolean> {
  if (main === undefined) return true;
  if (ours === undefined) return false;
  return (await git(['merge-base', '--is-ancestor', main, ours])).exitCode === 0;
}

/** Brings `main` and the index to our newest commit, unless a person works there: then a note says what to do. */
async function follow(repository: Repository, wish: HistoryWish, commit: string): Promise<string> {
  const { git, gitFolder } = repository;
  const refs = await readRefs(repository);
  if ('note' in refs) return refs.note;
  if (refs.main !== commit) {
    const isBehind = await isFollower(repository, refs.main, commit);
    if (!isBehind)
      return 'You have commits of your own on main, so it is left alone: `git merge deeprepro` takes the newest round.';
    const moved = await git(['update-ref', MAIN, commit]);
    if (moved.exitCode !== 0) return failed(wish.folder, moved);
  }
  const head = await readFile(join(gitFolder, 'HEAD'), 'utf8').catch(() => '');
  if (head.trim() === `ref: ${MAIN}`) await bringIndex(repository, wish, commit);
  return '';
}

/**
 * The index at our commit, with what a person has staged kept where it can be. It is made aside and moved into place,
 * so that no lock of ours is ever left; where a person's git has it at the moment, the next time does it.
 */
async function bringIndex(
  { git, gitFolder }: Repository,
  { temporaries, run }: HistoryWish,
  commit: string,
): Promise<void> {
  const notePath = join(gitFolder, NOTE);
  const { index: was } = Note.parse(JSON.parse(await readFile(notePath, 'utf8')));
  if (was === commit) return;
  const [own, made] = [join(gitFolder, 'index'), join(temporaries, 'index')];
  await mkdir(temporaries, { recursive: true });
  await rm(made, { force: true });
  const isThere = await copyFile(own, made).then(
    () => true,
    () => false,
  );
  const trees = isThere && was !== '' ? ['-m', '-i', was, commit] : [commit];
  const read = await git(['read-tree', ...trees], { indexFile: made });
  if (read.exitCode !== 0) return;
  await git(['update-index', '-q', '--refresh'], { indexFile: made });
  if (await stat(`${own}.lock`).catch(() => undefined)) return;
  await rename(made, own);
  const note = join(temporaries, NOTE);
  await writeFile(note, JSON.stringify({ run, index: commit }));
  await rename(note, notePath);
}

/** A git of ours that was killed may have left these; no other git of ours is at work while we hold the folder. */
async function removeStaleLocks({ gitFolder }: Repository): Promise<void> {
  for (const ref of [OURS, MAIN]) {
    const lock = join(gitFolder, `${ref}.lock`);
    const found = await stat(lock).catch(() => undefined);
    if (found && (ref === OURS || Date.now() - found.mtimeMs > STALE_LOCK_MS))
      await rm(lock, { force: true });
  }
}

function failed(folder: string, { failure }: GitAnswer): string {
  return `The history in ${folder} could not be brought up to date: ${failure} The files are.`;
}
