import type { Blueprint } from './blueprint.ts';
import { deviationsOf } from './deviations.ts';
import { runnersOf } from './essential-files.ts';
import { cellCount } from './experiment.ts';
import { isBlocking, whyItMatters } from './finding.ts';
import { progressOf } from './progress.ts';
import { RUN_LEVEL } from './report.ts';
import { ownersOf } from './owners.ts';
import type { RoundChange } from './round-change.ts';
import type { RunDocument } from './run-document.ts';
import type { RunFacts } from './run-facts.ts';
import { spendByFile, spendByStage, type Spend } from './spend.ts';

/** `run.json` for programs: the facts in the form that `RunDocument` promises. */
export function describeFacts(facts: RunFacts): RunDocument {
  const { blueprint, state, outcome } = facts;
  return {
    schemaVersion: 1,
    product: 'deeprepro',
    run: facts.run,
    paper: { file: facts.paper, title: blueprint?.title ?? '' },
    state: outcome === null ? 'running' : 'ended',
    outcome,
    later: facts.later,
    failure: facts.failure,
    runLevel: RUN_LEVEL,
    startedAt: facts.createdAt,
    lastChangeAt: facts.updatedAt,
    round: state?.round ?? 0,
    models: [...facts.models],
    account: facts.account,
    ...(blueprint ? planOf(facts, blueprint) : NO_PLAN),
    doubts: [...facts.doubts],
    findings: findingsOf(facts),
    rounds: facts.rounds.map(roundOf),
    spend: {
      stages: spendByStage(facts).map((spend) => ({ stage: spend.name, ...amountsOf(spend) })),
      files: spendByFile(facts).map((spend) => ({ path: spend.name, ...amountsOf(spend) })),
    },
    notices: [...facts.notices],
  };
}

type Plan = Pick<RunDocument, 'files' | 'requirements' | 'experiments' | 'inferred'>;

const NO_PLAN: Plan = { files: [], requirements: [], experiments: [], inferred: [] };

function planOf({ state, statuses }: RunFacts, blueprint: Blueprint): Plan {
  const deviations = deviationsOf(blueprint);
  return {
    files: blueprint.files.map(({ path, purpose, owns }) => {
      const { revision, repairs } = progressOf(state ?? { progress: {} }, path);
      const content = state?.tree[path];
      return {
        ...{ path, purpose, status: statuses.get(path) ?? 'planned' },
        ...{ sha256: content?.sha256 ?? null, bytes: content?.bytes ?? null },
        ...{ contentsAccepted: revision, repairs, requirements: [...owns] },
      };
    }),
    requirements: blueprint.requirements.map((requirement) => ({
      ...requirement,
      owners: ownersOf(requirement.id, blueprint),
      deviation: deviations.get(requirement.id) ?? '',
    })),
    experiments: blueprint.experiments.map((experiment) => ({
      ...experiment,
      cells: cellCount(experiment),
      runners: runnersOf(blueprint.files, [experiment]),
    })),
    inferred: blueprint.configuration
      .filter(({ requirements }) => requirements.length === 0)
      .map(({ key, value, reason }) => ({ key, value, reason })),
  };
}

function findingsOf({ state }: RunFacts): RunDocument['findings'] {
  return (state?.findings ?? []).map((finding) => ({
    id: finding.id,
    kind: finding.kind,
    blocking: isBlocking(finding),
    path: finding.path,
    symbol: finding.symbol,
    message: finding.message,
    whyItMatters: whyItMatters(finding.kind),
    remedy: finding.remedy,
    openedInRound: finding.openedInRound,
    resolvedInRound: finding.resolvedInRound,
    triedInRounds: [...finding.triedInRounds],
  }));
}

function roundOf(change: RoundChange): RunDocument['rounds'][number] {
  const { round, written, repaired, removed, notKept, opened, resolved } = change;
  return {
    round,
    ...{ written: [...written], repaired: [...repaired] },
    ...{ removed: [...removed], notKept: [...notKept] },
    findingsOpened: opened.map(({ id }) => id),
    findingsResolved: resolved.map(({ id }) => id),
  };
}

function amountsOf({
  calls,
  inputTokens,
  cachedTokens,
  outputTokens,
  spent,
  maybePaid,
  modelMs,
}: Spend) {
  return { calls, inputTokens, cachedTokens, outputTokens, spent, maybePaid, modelMs };
}
