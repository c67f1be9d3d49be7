import { advance } from '../domain/advance.ts';
import type { Guided } from '../domain/fold-plan.ts';
import { grantRepairs } from '../domain/grant-repairs.ts';
import type { Finding } from '../domain/finding.ts';
import { withHead } from '../domain/note-run.ts';
import { Diagnosis, Subplan, type RoundRecord } from '../domain/round.ts';
import { isVerified } from '../domain/run-settings.ts';
import type { RunState } from '../domain/run-state.ts';
import { Judgement } from '../domain/verdict.ts';
import { Verification } from '../domain/verification.ts';
import { getJson } from '../store/stored-json.ts';
import { accountOf } from './account.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { CommitInput } from './inputs.ts';
import { loadBlueprint, loadSettings, loadState } from './load.ts';
import { say } from './say.ts';
import { standAt } from './stand.ts';

/** The one writer of S_t: loads it, folds the round's record in, stores S_{t+1}, and makes it the run's head. */
export function commitRound(deps: Deps) {
  return unpaid(CommitInput, async (input) => {
    const { settings } = await loadSettings(deps, input.settings);
    const before = await loadState(deps, input.stateRef);
    const { record, stateRef } = input;
    const verification = await verificationOf(deps, record);
    const guided =
      settings.mode === 'deepplan'
        ? await guidanceOf(deps, before, record, verification)
        : undefined;
    const blueprint = await loadBlueprint(deps, guided?.amended ?? before.blueprint);
    const diagnosis =
      record.kind === 'notes' || record.kind === 'proof'
        ? null
        : await getJson(deps.store, Diagnosis, record.diagnosis);
    const { limits } = settings;
    const parts = {
      record,
      diagnosis,
      blueprint,
      limits,
      stateRef,
      ...(verification && { verification }),
      proves: isVerified(settings),
    };
    const advanced = advance(before, guided ? { ...parts, guided } : parts);
    const state = grantRepairs(advanced, input.retries ?? [], limits);
    const standing = standAt(deps, state, blueprint, settings);
    // The record is opened meanwhile; it names the state only once that is stored.
    const updating = deps.folders.update(input.run, async (run) =>
      withHead(run, input.incarnation, await standing, accountOf(input), deps.now().toISOString()),
    );
    await Promise.allSettled([standing, updating]);
    const at = await standing;
    await updating;
    await tell(deps, input.run, record, before, state);
    return at;
  });
}

/** What the verifier said, where the record has it. */
async function verificationOf(
  { store }: Deps,
  record: RoundRecord,
): Promise<Verification | undefined> {
  const { verification } = record.kind === 'round' || record.kind === 'proof' ? record : {};
  return verification && getJson(store, Verification, verification);
}

/** What a model's subplan brings to the commit: its amendments, and the verdicts on its checks. */
async function guidanceOf(
  deps: Deps,
  before: RunState,
  record: RoundRecord,
  verification: Verification | undefined,
): Promise<Guided | undefined> {
  if (record.kind !== 'round') return undefined;
  const subplan = await getJson(deps.store, Subplan, record.subplan);
  const amended = subplan.blueprint ?? null;
  const after = amended && (await loadBlueprint(deps, amended));
  const planned = new Set(after?.files.map(({ path }) => path));
  const old = after ? (await loadBlueprint(deps, before.blueprint)).files : [];
  const { verdicts } = record.judgement
    ? await getJson(deps.store, Judgement, record.judgement)
    : { verdicts: [] };
  return {
    subplan: record.subplan,
    amended,
    retired: old.map(({ path }) => path).filter((path) => !planned.has(path)),
    verdicts: [...verdicts, ...(verification?.checks ?? [])],
  };
}

async function tell(
  deps: Deps,
  run: string,
  record: RoundRecord,
  before: RunState,
  { round, findings, commits, tree }: RunState,
): Promise<void> {
  const wasOpen = new Set(before.findings.filter(isOpen).map(({ id }) => id));
  for (const finding of findings) {
    if (isOpen(finding) === wasOpen.has(finding.id)) continue;
    const kind = isOpen(finding) ? 'finding-opened' : 'finding-resolved';
    const text = `${isOpen(finding) ? 'Found' : 'Resolved'}: ${finding.message}`;
    await say(deps, run, { kind, round, subject: `${finding.id} ${commits}`, text, ref: null });
  }
  if (record.kind === 'notes') return;
  const open = findings.filter(isOpen).length;
  const kind = record.kind === 'round' ? 'round-committed' : 'repository-inspected';
  const what = {
    round: `Round ${round}`,
    inspection: `Inspection after round ${round}`,
    proof: `Proof after round ${round}`,
  }[record.kind];
  const text = `${what}: ${Object.keys(tree).length} files accepted, ${open} findings open.`;
  await say(deps, run, { kind, round, subject: `${commits}`, text, ref: null });
}

function isOpen({ resolvedInRound }: Finding): boolean {
  return resolvedInRound === null;
}
