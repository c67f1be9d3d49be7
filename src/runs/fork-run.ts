import { randomBytes } from 'node:crypto';
import { Blueprint } from '../domain/blueprint.ts';
import { formatAmount } from '../domain/budget.ts';
import { eventOf, type Event } from '../domain/event.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { isVerified, RunSettings, type Mode } from '../domain/run-settings.ts';
import { Task } from '../domain/task.ts';
import type { VerifyMode } from '../domain/verification.ts';
import { viewOf } from '../domain/view.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { changedSettings, keyNamesOf, type ModelChange } from './change-model.ts';
import { chooseBudget } from './choose-budget.ts';
import { callAllowanceOf } from './choose-models.ts';
import { requireUsableFolder } from './export-folder.ts';
import { firstInput } from './first-input.ts';
import type { RunPorts } from './ports.ts';
import { forkName } from './fork-name.ts';
import { toldControls } from './told-controls.ts';
import { stateAfter, statesOf } from './walk-states.ts';

/** What a person wants of a fork; what is undefined is as the run has it. `out` is absolute. */
export interface ForkWish {
  /** After which round; undefined for the newest. */
  readonly round: number | undefined;
  readonly name: string | undefined;
  /** Ask everything afresh from there on. */
  readonly reseed: boolean;
  readonly model: ModelChange | undefined;
  /** Added to those that the run has. */
  readonly userRequests: readonly string[];
  readonly budgetUsd: number | undefined;
  readonly budgetTokens: number | undefined;
  readonly onBudget: 'wait' | 'stop' | undefined;
  readonly mode?: Mode | undefined;
  readonly verify?: VerifyMode | undefined;
  readonly parallel: number | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly out: string | null;
}

/** A fork that was made and started. */
export interface Forked {
  readonly record: RunRecord;
  /** Null where the run had no round yet: then the fork begins with the paper. */
  readonly round: number | null;
  readonly notice: string;
}

/**
 * A new run from a round of another, whatever became of that one: with its seed, so that nothing it has been answered
 * is asked or paid again, its own spend and its own cap. Throws `UsageError` for what the person has to correct; then
 * nothing was made.
 */
export async function forkRun(ports: RunPorts, from: string, wish: ForkWish): Promise<Forked> {
  const parent = await ports.folders.read(from);
  const before = await getJson(ports.store, RunSettings, parent.settings);
  const start = await startOf(ports, parent, wish.round);
  const changed = wish.model ? changedSettings(before, wish.model) : before;
  const { models } = changed;
  const budget = budgetOf(parent, before, models, wish);
  const settings = RunSettings.parse({
    ...changed,
    seed: wish.reseed ? randomBytes(16).toString('hex') : before.seed,
    task: await taskWith(ports, before, wish.userRequests),
    mode: wish.mode ?? before.mode,
    ...(wish.verify && { verify: wish.verify }),
    unit: budget.unit,
    maxOutputTokens: wish.maxOutputTokens ?? before.maxOutputTokens,
  });
  const settingsRef = await putJson(ports.store, settings);
  const name = await forkName(ports, parent, settings.seed, wish.name);
  if (wish.out !== null) await requireUsableFolder(wish.out, name);
  const head = start && (await headAt(ports, start, settings));
  const engine = await ports.engine(await keyNamesOf(ports, { settings: settingsRef }));
  const record = forkRecord(parent, {
    ...{ name, wish, settings, settingsRef, head, cap: budget.cap },
    temporal: { ...engine.place },
  });
  await ports.folders.create(record);
  await copyEvents(ports, parent, record);
  await engine.start(firstInput(record));
  const notices = [budget.notice, idleNotice(head, from)].filter((notice) => notice !== '');
  return { record, round: head?.view.round ?? null, notice: notices.join(' ') };
}

/** What a fork changes shows only where something is written after it. */
function idleNotice(head: RunRecord['head'], from: string): string {
  if (
    !head ||
    head.view.isProofDue ||
    head.view.files.planned > 0 ||
    head.view.openBlockingCount > 0
  )
    return '';
  return `After round ${head.view.round} nothing is left to write: what you changed holds where files are written, so fork from an earlier one with --round (\`deeprepro rounds ${from}\` lists them).`;
}

async function startOf(ports: RunPorts, parent: RunRecord, round: number | undefined) {
  const states = await statesOf(ports, parent);
  const newest = states.at(-1)?.state.round;
  // Without a round there is nothing to go on from but the replies to the paper's reading.
  if (round === undefined && newest === undefined) return null;
  return stateAfter(states, round ?? newest ?? 0, parent);
}

async function headAt(
  { store }: RunPorts,
  { ref, state }: NonNullable<Awaited<ReturnType<typeof startOf>>>,
  settings: RunSettings,
): Promise<NonNullable<RunRecord['head']>> {
  const blueprint = await getJson(store, Blueprint, state.blueprint);
  // The next round is planned by the fork itself, under its own settings.
  const view = viewOf(state, blueprint, settings.limits, null);
  // A run that ended without it is verified where the fork asks for that.
  const isProofDue = state.stop === 'inspected' && isVerified(settings);
  return {
    stateRef: ref,
    blueprint: state.blueprint,
    view: isProofDue ? { ...view, isProofDue } : view,
  };
}

function budgetOf(
  parent: RunRecord,
  before: RunSettings,
  models: RunSettings['models'],
  wish: ForkWish,
) {
  const isSaid = wish.budgetUsd !== undefined || wish.budgetTokens !== undefined;
  const { cap } = parent.account;
  if (isSaid || cap === null)
    return chooseBudget(models, { usd: wish.budgetUsd, tokens: wish.budgetTokens });
  return chooseBudget(models, {
    usd: before.unit === 'usd' ? cap : undefined,
    tokens: before.unit === 'tokens' ? cap : undefined,
  });
}

async function taskWith(
  { store }: RunPorts,
  { task }: RunSettings,
  userRequests: readonly string[],
) {
  if (userRequests.length === 0) return task;
  const before = await getJson(store, Task, task);
  return putJson(store, { ...before, userRequests: [...before.userRequests, ...userRequests] });
}

function forkRecord(
  parent: RunRecord,
  parts: {
    readonly name: string;
    readonly wish: ForkWish;
    readonly settings: RunSettings;
    readonly settingsRef: RunRecord['settings'];
    readonly head: RunRecord['head'];
    readonly cap: number;
    readonly temporal: RunRecord['temporal'];
  },
): RunRecord {
  const { name, wish, settings, settingsRef, head, cap, temporal } = parts;
  const { unit, models, maxOutputTokens } = settings;
  const now = new Date().toISOString();
  const own: { -readonly [Key in keyof RunRecord]: RunRecord[Key] } = { ...parent };
  // A batch grants money to its own runs alone.
  delete own.batch;
  const controls = { ...parent.controls };
  delete controls.verify;
  delete controls.mode;
  return {
    ...own,
    name,
    createdAt: now,
    updatedAt: now,
    seed: settings.seed,
    settings: settingsRef,
    controls: {
      ...controls,
      ...toldControls(settings),
      parallel: wish.parallel ?? parent.controls.parallel,
      onBudget: wish.onBudget ?? parent.controls.onBudget,
      unit,
      callAllowance: callAllowanceOf(models, unit, maxOutputTokens),
    },
    temporal,
    forkedFrom: { run: parent.name, round: head?.view.round ?? null },
    out: wish.out,
    incarnation: 1,
    head,
    sequence: 0,
    phase: head ? 'rounds' : 'planning',
    blueprint: head?.blueprint ?? null,
    account: { unit, cap, spent: 0, maybePaid: 0, calls: 0, reused: 0 },
    ...{ paused: false, stopping: false, waits: [], outcome: null, failure: '', report: null },
  };
}

/** Of the run itself, not of its state. */
const OWN = ['run-started', 'run-ended', 'wait-began', 'repository-inspected'];

/** The facts, in the order in which they were told, that were true of the state after `round`. Notes bear no round: time decides. */
export function eventsUpTo(events: readonly Event[], round: number): readonly Event[] {
  const later = events.findIndex((event) => event.round > round);
  return events
    .slice(0, later < 0 ? events.length : later)
    .filter(({ kind }) => !OWN.includes(kind));
}

/** What is true of the state that the fork begins with is true of the fork: rounds, findings, notices. */
async function copyEvents(
  { folders }: RunPorts,
  parent: RunRecord,
  fork: RunRecord,
): Promise<void> {
  const round = fork.head?.view.round;
  const said = `Forked from ${parent.name}${round === undefined ? '' : ` after round ${round}`}, capped at ${formatAmount(fork.account.cap ?? 0, fork.account.unit)}.`;
  if (round !== undefined)
    for (const event of eventsUpTo(await folders.events(parent.name), round))
      await folders.append(fork.name, event);
  await folders.append(
    fork.name,
    eventOf(
      { kind: 'run-started', round: 0, subject: fork.paper, text: said, ref: fork.settings },
      fork.createdAt,
    ),
  );
}
