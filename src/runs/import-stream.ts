import { changeBetween } from '../domain/round-change.ts';
import { roundMessage } from '../domain/round-message.ts';
import type { RunState } from '../domain/run-state.ts';
import type { RoundState } from '../store/round-states.ts';
import type { Store } from '../store/store.ts';
import { isExecutable, repositoryFiles, type RepositoryFile } from './repository-files.ts';

/** Rounds to become commits, one each. */
export interface RoundsToImport {
  /** The state that the first of them follows. */
  readonly before: RunState;
  readonly rounds: readonly RoundState[];
  /** The commit of `before`; undefined begins a history. */
  readonly parent: string | undefined;
  /** When the run was made: ISO 8601. */
  readonly createdAt: string;
  /** The branch that gets them, and others that are to stand at the last one. */
  readonly branch: string;
  readonly followers: readonly string[];
}

const IDENTITY = 'deeprepro <deeprepro@users.noreply.invalid>';
/** The first commit's mark in the stream. */
const FIRST_MARK = 1;

/**
 * What `git fast-import` reads to make the commits. All of it is made from values: the identity is ours, and round N is
 * dated N seconds after the run was made, the only time that every copy of a run agrees on. So the same run gives the
 * same ids, whoever exports it, when, and after whatever crashes.
 */
export async function importStream(store: Store, wish: RoundsToImport): Promise<Buffer> {
  const { rounds, branch, followers } = wish;
  const parts: Uint8Array[] = [];
  let before = { state: wish.before, files: await repositoryFiles(store, wish.before) };
  for (const [index, { stateRef, state }] of rounds.entries()) {
    const files = await repositoryFiles(store, state);
    const message = roundMessage(changeBetween(before.state, state), stateRef.sha256);
    const atSeconds = Math.floor(Date.parse(wish.createdAt) / 1000) + state.round;
    const from = index === 0 ? wish.parent : `:${FIRST_MARK + index - 1}`;
    parts.push(
      line(`commit ${branch}`),
      line(`mark :${FIRST_MARK + index}`),
      line(`author ${IDENTITY} ${atSeconds} +0000`),
      line(`committer ${IDENTITY} ${atSeconds} +0000`),
      ...data(Buffer.from(message)),
      ...(from === undefined ? [] : [line(`from ${from}`)]),
      ...(await changes(before.files, files)),
    );
    before = { state, files };
  }
  const last = `:${FIRST_MARK + rounds.length - 1}`;
  for (const follower of followers) parts.push(line(`reset ${follower}`), line(`from ${last}`));
  return Buffer.concat([...parts, line('done')]);
}

async function changes(
  before: readonly RepositoryFile[],
  after: readonly RepositoryFile[],
): Promise<Uint8Array[]> {
  const was = new Map(before.map(({ path, sha256 }) => [path, sha256]));
  const stays = new Set(after.map(({ path }) => path));
  const parts = [...was.keys()].filter((path) => !stays.has(path)).map((path) => line(`D ${path}`));
  for (const { path, sha256, read } of after) {
    if (was.get(path) === sha256) continue;
    const content = await read();
    const mode = isExecutable(path, content) ? '100755' : '100644';
    parts.push(line(`M ${mode} inline ${path}`), ...data(content));
  }
  return parts;
}

function data(content: Uint8Array): Buffer[] {
  return [line(`data ${content.byteLength}`), Buffer.from(content), line('')];
}

function line(text: string): Buffer {
  return Buffer.from(`${text}\n`);
}
