import { setTimeout as pause } from 'node:timers/promises';
import { UsageError } from '../domain/errors.ts';
import { canResume } from '../domain/outcome.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { changeModel, keyNamesOf, keyNamesOfChange, type ModelChange } from './change-model.ts';
import { firstInput } from './first-input.ts';
import type { Engine, RunPorts } from './ports.ts';
import { elsewhere, isAt } from './read-status.ts';
import { setModel } from './set-run.ts';
import { requireOwnMoney, requireTokens, setBudget } from './steer-run.ts';

/** What a person may change while resuming. */
export interface ResumeWish {
  readonly model: ModelChange | undefined;
  /** New cap in the unit of the run; null for none, undefined to keep it. */
  readonly cap: number | null | undefined;
}

/** What resuming came to: the workflow goes on, or a new one was started from the newest committed round. */
export interface Resumed {
  readonly name: string;
  readonly how: 'signalled' | 'restarted';
  /** From when on a new model is asked; absent where none was named, or all is asked under it. */
  readonly model?: string;
}

/**
 * Lets a run go on, whatever became of it: a workflow that runs tries again what waits, and a pause is lifted; a run
 * that Temporal has forgotten or that ended within reach gets a new workflow from its head. Throws `UsageError` for a
 * run that is complete or has failed.
 */
export async function resumeRun(ports: RunPorts, name: string, wish: ResumeWish): Promise<Resumed> {
  const record = await ports.folders.read(name);
  requireResumable(record);
  if (wish.cap !== undefined) {
    requireOwnMoney(record, wish.cap);
    requireTokens(record, wish.cap);
  }
  const keyNames = wish.model ? keyNamesOfChange(wish.model) : [];
  const engine = await ports.engine([...(await keyNamesOf(ports, record)), ...keyNames]);
  return resumeOn(ports, engine, record, { ...wish, liftPause: true });
}

/** The same for a run that was found fit to go on; a pause stays. */
export async function goOn(ports: RunPorts, record: RunRecord): Promise<Resumed> {
  const engine = await ports.engine(await keyNamesOf(ports, record));
  const wish = { model: undefined, cap: undefined, liftPause: false };
  return resumeOn(ports, engine, record, wish);
}

/**
 * Resumes every run that has not ended; pauses that a person set stay. One that cannot be read or resumed is told to
 * `onTrouble` and holds up no other.
 */
export async function resumeAll(
  ports: RunPorts,
  onTrouble: (name: string, error: unknown) => void,
): Promise<readonly Resumed[]> {
  const names = await ports.folders.names();
  const each = async <Item, Value>(
    items: readonly Item[],
    nameOf: (item: Item) => string,
    work: (item: Item) => Promise<Value>,
  ): Promise<Value[]> => {
    const settled = await Promise.allSettled(items.map(work));
    return settled.flatMap((result, index) => {
      if (result.status === 'fulfilled') return [result.value];
      const item = items[index];
      if (item !== undefined) onTrouble(nameOf(item), result.reason);
      return [];
    });
  };
  const runs = await each(
    names,
    (name) => name,
    async (name) => {
      const record = await ports.folders.read(name);
      const isOpen = record.outcome === null;
      return { record, isOpen, keyNames: isOpen ? await keyNamesOf(ports, record) : [] };
    },
  );
  const open = runs.filter(({ isOpen }) => isOpen);
  if (open.length === 0) return [];
  const engine = await ports.engine(open.flatMap(({ keyNames }) => keyNames));
  const here = open.filter(({ record }) => isAt(record.temporal, engine.place));
  const wish = { model: undefined, cap: undefined, liftPause: false };
  return each(
    here,
    ({ record }) => record.name,
    ({ record }) => resumeOn(ports, engine, record, wish),
  );
}

type FullWish = ResumeWish & { readonly liftPause: boolean };

async function resumeOn(
  ports: RunPorts,
  engine: Engine,
  record: RunRecord,
  wish: FullWish,
): Promise<Resumed> {
  const { name } = record;
  // A run that has not ended may be under way where it was started; two workflows must never drive it.
  if (record.outcome === null && !isAt(record.temporal, engine.place))
    throw new UsageError(elsewhere(record, engine));
  const run = await settledRun(engine, record);
  if (run?.isRunning !== true) return restart(ports, engine, record, wish);
  const model = wish.model && (await setModel(ports, engine, record, wish.model));
  if (wish.cap !== undefined) await setBudget(ports, name, wish.cap);
  await engine.resume(name, { liftPause: wish.liftPause });
  return { name, how: 'signalled', ...(model !== undefined && { model }) };
}

/** The workflow's last step comes a moment after its report. */
const CLOSE_TIMEOUT_MS = 10_000;
const CLOSE_POLL_MS = 100;

async function settledRun(engine: Engine, { name, outcome }: RunRecord) {
  const deadline = Date.now() + CLOSE_TIMEOUT_MS;
  for (;;) {
    const run = await engine.describe(name);
    if (run?.isRunning !== true || outcome === null) return run;
    if (Date.now() > deadline)
      throw new UsageError(
        `The run "${name}" ended (${outcome}), but its workflow is still closing: try again in a moment.`,
      );
    await pause(CLOSE_POLL_MS);
  }
}

async function restart(
  ports: RunPorts,
  engine: Engine,
  record: RunRecord,
  wish: FullWish,
): Promise<Resumed> {
  const { name, incarnation } = record;
  const settings = wish.model ? await changeModel(ports, record, wish.model) : record.settings;
  const totals = await ports.journal.totals(record.seed, name);
  const account = {
    ...record.account,
    cap: wish.cap === undefined ? record.account.cap : wish.cap,
    spent: totals.spent + totals.maybePaid,
    maybePaid: totals.maybePaid,
    calls: totals.calls + totals.maybePaidCalls,
  };
  const updated = await ports.folders.update(name, (current) => {
    // Another command was quicker: its workflow is the one.
    if (current.incarnation !== incarnation) return current;
    return {
      ...current,
      incarnation: incarnation + 1,
      temporal: { ...engine.place },
      settings,
      account,
      outcome: null,
      failure: '',
      phase: current.head ? 'rounds' : 'planning',
      paused: wish.liftPause ? false : current.paused,
      stopping: false,
      waits: [],
      updatedAt: new Date().toISOString(),
    };
  });
  if (updated.incarnation !== incarnation + 1 || !(await engine.start(firstInput(updated))))
    await engine.resume(name, { liftPause: wish.liftPause });
  return { name, how: 'restarted' };
}

function requireResumable({ name, outcome, failure }: RunRecord): void {
  if (outcome === null || canResume(outcome)) return;
  if (outcome === 'failed')
    throw new UsageError(
      `The run "${name}" has failed and cannot go on: ${failure} Correct that and start a new run.`,
    );
  throw new UsageError(
    `The run "${name}" has ended (${outcome}): there is nothing left to do. \`deeprepro export ${name} --out DIR\` writes its repository.`,
  );
}
