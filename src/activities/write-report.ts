import type { Blueprint } from '../domain/blueprint.ts';
import { unownedRequirements } from '../domain/blueprint-audit.ts';
import { withEnd } from '../domain/note-run.ts';
import { outcomeOf, type Gaps } from '../domain/outcome.ts';
import { openBlocking, statusOf, type FileStatus } from '../domain/progress.ts';
import { renderReport } from '../domain/report.ts';
import type { RunState } from '../domain/run-state.ts';
import type { RunSettings } from '../domain/run-settings.ts';
import { accountOf } from './account.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { ReportInput } from './inputs.ts';
import { loadBlueprint, loadSettings, loadState } from './load.ts';
import { say } from './say.ts';

/** Ends this life of the run: decides the outcome from the state, writes the report, closes the record. No model call. */
export function writeReport(deps: Deps) {
  return unpaid(ReportInput, async (input) => {
    const { run, incarnation, sequence, failure, reason } = input;
    const { settings } = await loadSettings(deps, input.settings);
    const state = input.stateRef && (await loadState(deps, input.stateRef));
    const blueprint = state && (await loadBlueprint(deps, state.blueprint));
    const statuses = state && blueprint ? statusesOf(state, blueprint, settings) : new Map();
    const outcome = outcomeOf(reason, gapsOf(state, blueprint, statuses));
    const events = await deps.folders.events(run);
    const markdown = renderReport({
      run,
      outcome,
      failure,
      blueprint,
      statuses,
      findings: state?.findings ?? [],
      rounds: state?.round ?? 0,
      account: accountOf(input),
      notices: events.filter(({ kind }) => kind === 'notice').map(({ text }) => text),
      models: [...new Set(Object.values(settings.models).map(({ model }) => model))],
    });
    const report = await deps.store.put(markdown);
    const end = { outcome, failure, report, account: accountOf(input), sequence, incarnation };
    const at = deps.now().toISOString();
    await deps.folders.update(run, (record) => withEnd(record, end, at));
    const text = `Ended: ${outcome}.${failure ? ` ${failure}` : ''}`;
    await say(deps, run, {
      kind: 'run-ended',
      round: 0,
      subject: `${incarnation}`,
      text,
      ref: report,
    });
    return { outcome, report };
  });
}

function statusesOf(
  state: RunState,
  { files }: Blueprint,
  { limits }: RunSettings,
): Map<string, FileStatus> {
  return new Map(files.map(({ path }) => [path, statusOf(state, path, limits.staticRepairs)]));
}

function gapsOf(
  state: RunState | null,
  blueprint: Blueprint | null,
  statuses: ReadonlyMap<string, FileStatus>,
): Gaps {
  const count = (status: FileStatus) =>
    [...statuses.values()].filter((each) => each === status).length;
  return {
    unwrittenFiles: count('planned'),
    brokenFiles: count('broken'),
    openBlocking: state ? openBlocking(state).length : 0,
    unowned: blueprint ? unownedRequirements(blueprint).length : 0,
  };
}
