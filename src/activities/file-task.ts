import type { Blueprint } from '../domain/blueprint.ts';
import {
  buildFileContext,
  CONTEXT_LIMITS,
  type ContextLimits,
  type FileAssignment,
  type FileContext,
  type MemoryOfFile,
  type SeenStatus,
} from '../domain/file-context.ts';
import { FileInterface } from '../domain/interface.ts';
import { progressOf, statusOf } from '../domain/progress.ts';
import { Subplan } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Limits, RunSettings } from '../domain/run-settings.ts';
import type { Task } from '../domain/task.ts';
import { plannedTree, type Tree } from '../domain/tree.ts';
import { keptJson, keptText } from '../store/kept-reader.ts';
import type { Deps } from './deps.ts';
import type { TurnInput } from './inputs.ts';
import { loadBlueprint, loadPaper, loadState } from './load.ts';
import { importersOf } from './parsed-tree.ts';

const readInterface = keptJson(FileInterface);
const readSubplan = keptJson(Subplan);
const readText = keptText();

/** Each time a model's window is too small, the parts of a context that it can do without shrink to this share. */
const SHRINK = 0.5;

/** X_{t,i}, filled from the store. `shrinks` is how many times the window was too small. */
export async function loadFileContext(
  deps: Deps,
  input: TurnInput,
  { settings, task }: { settings: RunSettings; task: Task },
  shrinks: number,
): Promise<FileContext> {
  const { path } = input;
  const state = await loadState(deps, input.stateRef);
  const blueprint = await loadBlueprint(deps, input.blueprint);
  const tree = treeSeen(state, blueprint, input.needed);
  const subplan = input.subplan && (await readSubplan(deps.store, input.subplan));
  const { lastAttempt, lastReasons } = progressOf(state, path);
  const context = buildFileContext(
    {
      paper: await loadPaper(deps, state.paper),
      userRequests: task.userRequests,
      blueprint,
      path,
      statuses: new Map(
        blueprint.files.map((file) => [
          file.path,
          seenStatus(file.path, { state, needed: input.needed, subplan, limits: settings.limits }),
        ]),
      ),
      memory: await loadMemory(
        deps,
        state,
        new Map(blueprint.files.map((file) => [file.path, file.purpose])),
      ),
      ...assignmentOf(subplan, path),
      texts: await loadTexts(deps, tree),
      importers: await importersOf(deps, tree, path),
      findings: state.findings,
      lastAttempt: lastAttempt && (await readText(deps.store, lastAttempt)),
      lastReasons,
    },
    shrunk(shrinks),
  );
  if (context) return context;
  throw new Error(`The blueprint plans no file "${path}".`);
}

/** What the round's subplan says to this file. */
function assignmentOf(
  subplan: Subplan | undefined,
  path: string,
): { readonly assignment?: FileAssignment } {
  const guidance = subplan?.guidance;
  const assignment = guidance?.assignments[path];
  if (!guidance || !assignment) return {};
  const checks = guidance.acceptanceChecks.filter((check) => check.path === path);
  return { assignment: { ...assignment, checks } };
}

/** As at the round's start, but for what this round has written for it, or is writing. */
function seenStatus(
  path: string,
  round: {
    readonly state: RunState;
    readonly needed: TurnInput['needed'];
    readonly subplan: Subplan | undefined;
    readonly limits: Limits;
  },
): SeenStatus {
  const { state, needed, subplan, limits } = round;
  const status = statusOf(state, path, limits);
  if (status !== 'planned') return status;
  if (needed.some((file) => file.path === path)) return 'written';
  return subplan?.targets.some((target) => target.path === path) ? 'being written' : status;
}

/** A file sees the tree at the round's start, and those files of the round that it needs. */
export function treeSeen(state: RunState, blueprint: Blueprint, needed: TurnInput['needed']): Tree {
  return {
    ...plannedTree(state.tree, blueprint),
    ...Object.fromEntries(needed.map(({ path, file }) => [path, file])),
  };
}

function shrunk(shrinks: number): ContextLimits {
  const share = SHRINK ** shrinks;
  // The paper goes over to its owned spans at the first shrink.
  return {
    paperTokens: shrinks === 0 ? CONTEXT_LIMITS.paperTokens : 0,
    spanTokens: CONTEXT_LIMITS.spanTokens * share,
    textTokens: CONTEXT_LIMITS.textTokens * share,
    signatureTokens: CONTEXT_LIMITS.signatureTokens * share,
  };
}

/** What memory holds of the written files, with their purposes in the plan. */
export async function loadMemory(
  { store }: Deps,
  { memory }: RunState,
  purposes: ReadonlyMap<string, string>,
): Promise<Map<string, MemoryOfFile>> {
  const entries = Object.entries(memory).map(
    async ([path, entry]): Promise<[string, MemoryOfFile]> => [
      path,
      {
        purpose: purposes.get(path) ?? '',
        interface: await readInterface(store, entry.interface),
        notes: entry.notes.kind === 'noted' ? await readText(store, entry.notes.text) : '',
        ...(entry.doubts && {
          doubts: { ...entry.doubts, text: await readText(store, entry.doubts.text) },
        }),
      },
    ],
  );
  return new Map(await Promise.all(entries));
}

/** The contents of a tree's files, by path. */
export async function loadTexts(
  { store }: Pick<Deps, 'store'>,
  tree: Tree,
): Promise<Map<string, string>> {
  const texts = Object.entries(tree).map(async ([path, ref]): Promise<[string, string]> => [
    path,
    await readText(store, ref),
  ]);
  return new Map(await Promise.all(texts));
}
