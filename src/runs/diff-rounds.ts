import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../domain/errors.ts';
import { changeBetween } from '../domain/round-change.ts';
import type { Guidance } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import { readRound, readRoundStates, type RoundState } from '../store/round-states.ts';
import { importStream } from './import-stream.ts';
import type { GitAnswer, RunPorts } from './ports.ts';
import { readGuidance } from './read-guidance.ts';

/** Why a round was planned so, and how it amended the plan. */
export type RoundPlanned = Pick<Guidance, 'rationale' | 'amendments'> & { readonly round: number };

/** How the trees of two rounds differ. */
export interface RoundDiff {
  readonly run: string;
  readonly from: number;
  readonly to: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** What models planned for the rounds that lie between, the oldest first; none where code alone planned. */
  readonly plans: readonly RoundPlanned[];
  /** As git prints it, without the last line break; empty where nothing differs. */
  readonly text: string;
}

/** What is wanted of a difference. Round 0 is the empty beginning. */
export interface DiffWish {
  readonly from: number;
  readonly to: number;
  readonly isStat: boolean;
}

/** The difference between a run's repository after two of its rounds. Throws `UsageError` for a round that is not there, or without git. */
export async function diffRounds(ports: RunPorts, run: string, wish: DiffWish): Promise<RoundDiff> {
  const [from, to] = await Promise.all([
    roundOf(ports, run, wish.from),
    roundOf(ports, run, wish.to),
  ]);
  const { written, repaired, removed } = changeBetween(from.state, to.state);
  return {
    ...{ run, from: wish.from, to: wish.to },
    ...{ added: written, changed: repaired, removed },
    plans: await plansBetween(ports, run, wish),
    text: await gitDiff(ports, from, to, wish),
  };
}

async function roundOf(
  { store, folders }: RunPorts,
  run: string,
  round: number,
): Promise<RoundState> {
  const { head } = await folders.read(run);
  const found = head && (await readRound(store, head.stateRef, round));
  if (found) return found;
  throw new UsageError(
    `The run "${run}" has no round ${round}: its newest is ${head?.view.round ?? 0}. \`deeprepro rounds ${run}\` lists them.`,
  );
}

async function plansBetween(
  { store, folders }: RunPorts,
  run: string,
  { from, to }: DiffWish,
): Promise<RoundPlanned[]> {
  const { head } = await folders.read(run);
  const { rounds } = head ? await readRoundStates(store, head.stateRef) : { rounds: [] };
  const between = rounds.filter(
    ({ state: { round } }) => round > Math.min(from, to) && round <= Math.max(from, to),
  );
  const plans = between.map(async ({ state }): Promise<RoundPlanned[]> => {
    const guidance = await readGuidance({ store }, state);
    if (!guidance) return [];
    const { rationale, amendments } = guidance;
    return [{ round: state.round, rationale, amendments }];
  });
  return (await Promise.all(plans)).flat();
}

/** Two commits in a repository that is thrown away: so paths are those of the tree, and git does the rest. */
async function gitDiff(
  { git, store }: RunPorts,
  from: RoundState,
  to: RoundState,
  { isStat }: DiffWish,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deeprepro-diff-'));
  const gitFolder = join(folder, '.git');
  try {
    checked(await git({ args: ['init', '--quiet', '--template=', '.'], cwd: folder }));
    for (const [branch, side] of [['from', from] as const, ['to', to] as const]) {
      const input = await importStream(store, {
        ...{ before: emptyBefore(side.state), rounds: [side], parent: undefined, followers: [] },
        ...{ createdAt: '2000-01-01T00:00:00.000Z', branch: `refs/heads/${branch}` },
      });
      const args = ['fast-import', '--quiet', '--done', '--date-format=raw'];
      checked(await git({ args, cwd: folder, gitFolder, input }));
    }
    const options = ['--no-ext-diff', '--no-textconv', '--no-color', ...(isStat ? ['--stat'] : [])];
    const args = ['diff', ...options, 'from', 'to', '--'];
    return checked(await git({ args, cwd: folder, gitFolder })).stdout.trimEnd();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function emptyBefore(state: RunState): RunState {
  return { ...state, tree: {}, findings: [], progress: {} };
}

function checked(answer: GitAnswer): GitAnswer {
  if (!answer.started)
    throw new UsageError(
      'git is not installed, and differences are its work: install it, or compare two folders from `deeprepro export NAME --round N --out DIR`.',
    );
  if (answer.exitCode !== 0) throw new Error(`The rounds cannot be compared: ${answer.failure}`);
  return answer;
}
