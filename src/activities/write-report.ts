import { requirementsInScope, unownedRequirements } from '../domain/blueprint-audit.ts';
import { quotesTold } from '../domain/held-quotes.ts';
import { withEnd } from '../domain/note-run.ts';
import { outcomeOf, type Gaps } from '../domain/outcome.ts';
import { openBlocking, type FileStatus } from '../domain/progress.ts';
import { renderReport } from '../domain/report.ts';
import type { RunFacts } from '../domain/run-facts.ts';
import { isVerified, type RunSettings } from '../domain/run-settings.ts';
import { verificationGaps } from '../domain/verified.ts';
import { readFacts } from '../store/read-facts.ts';
import { readStateAt } from '../store/round-states.ts';
import { accountOf } from './account.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { ReportInput } from './inputs.ts';
import { loadSettings } from './load.ts';
import { say } from './say.ts';

/** Ends this life of the run: decides the outcome from the state, writes the report, closes the record. No model call. */
export function writeReport(deps: Deps) {
  return unpaid(ReportInput, async (input) => {
    const { run, incarnation, sequence, failure, reason, stateRef, settings } = input;
    const record = await deps.folders.read(run);
    const at = stateRef && (await readStateAt(deps.store, stateRef));
    const facts = await readFacts(deps, { ...record, settings }, at);
    const outcome = outcomeOf(reason, gapsOf(facts, (await loadSettings(deps, settings)).settings));
    const account = accountOf(input);
    const report = await deps.store.put(renderReport({ ...facts, outcome, failure, account }));
    const end = { outcome, failure, report, account, sequence, incarnation };
    const now = deps.now().toISOString();
    await deps.folders.update(run, (current) => withEnd(current, end, now));
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

function gapsOf({ state, blueprint, statuses }: RunFacts, settings: RunSettings): Gaps {
  const count = (status: FileStatus) =>
    [...statuses.values()].filter((each) => each === status).length;
  return {
    unwrittenFiles: count('planned'),
    brokenFiles: count('broken'),
    openBlocking: state ? openBlocking(state).length : 0,
    unowned: blueprint ? unownedRequirements(blueprint).length : 0,
    unverified:
      isVerified(settings) && state && blueprint
        ? verificationGaps(state, blueprint).unverified
        : 0,
    emptyLedger: blueprint && requirementsInScope(blueprint).length === 0 ? 1 : 0,
    otherPaper: blueprint && quotesTold(blueprint.requirements).isOtherPaper ? 1 : 0,
  };
}
