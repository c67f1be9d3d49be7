import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Activities } from '../../src/activities/index.ts';
import type { Purse } from '../../src/domain/budget.ts';
import type { TargetResult } from '../../src/domain/round.ts';
import type { RunRecord } from '../../src/domain/run-record.ts';
import type { Steps } from '../../src/workflows/loop.ts';

/**
 * The loop's steps by plain calls of the activities in this process: the same work on the same files, with no Temporal
 * in between. What the engine costs is measured against it.
 */
export function directSteps(activities: Activities, record: RunRecord): Steps {
  const { controls, settings, account, name, incarnation } = record;
  const call = { schemaVersion: 1 as const, run: name, incarnation, settings };
  const paid = { ...call, allowance: 0 };
  const { unit, cap, spent, maybePaid } = account;
  const purse: Purse = { unit, cap, spent, maybePaid, reserved: 0 };
  const spending = { purse, calls: 0, reused: 0 };
  const hold = openSlots(controls.parallel);

  return {
    maxTurns: controls.maxTurns,
    mode: controls.mode ?? 'fast',
    approveBlueprint: async (blueprint) => blueprint,
    mayGoOn: async () => true,
    readPaper: async () => (await inContext(() => activities.readPaper(call))).paper,
    analyseFigures: async (paper) =>
      (await hold(1, () => activities.analyseFigures({ ...paid, paper }))).evidence,
    analyseConcepts: async (paper) =>
      (await hold(1, () => activities.analyseConcepts({ ...paid, paper }))).evidence,
    analyseAlgorithms: async (paper) =>
      (await hold(1, () => activities.analyseAlgorithms({ ...paid, paper }))).evidence,
    extractRequirements: async (paper) =>
      (await hold(3, () => activities.extractRequirements({ ...paid, paper }))).requirements,
    draftBlueprint: async (paper, views) =>
      (await hold(2, () => activities.draftBlueprint({ ...paid, paper, views: { ...views } })))
        .blueprint,
    begin: (paper, blueprint) =>
      inContext(() => activities.begin({ ...call, ...spending, paper, blueprint })),
    planRound: ({ stateRef }) =>
      hold(controls.mode === 'deepplan' ? 1 : 0, () => activities.planRound({ ...paid, stateRef })),
    judgeRound: async ({ stateRef, blueprint, view }, plan, results) => {
      const place = { stateRef, round: view.round + 1, subplan: plan.subplan };
      const under = { blueprint: plan.blueprint ?? blueprint, results: [...results] };
      return (await hold(1, () => activities.judgeRound({ ...paid, ...place, ...under })))
        .judgement;
    },
    verifyRound: () => Promise.reject(new Error('The bench does not verify.')),
    verifyRepository: () => Promise.reject(new Error('The bench does not verify.')),
    takeTurn: ({ at, plan, target, turn, left, conversation, needed }) =>
      hold(1, () =>
        activities.takeTurn({
          ...paid,
          stateRef: at.stateRef,
          blueprint: plan.blueprint ?? at.blueprint,
          round: at.view.round + 1,
          path: target.path,
          turn,
          conversation,
          needed: needed.flatMap(writtenOf),
          ...(controls.mode === 'deepplan' && { subplan: plan.subplan }),
          left,
        }),
      ),
    applyTools: ({ at, plan, target, turn, left, needed }, { conversation, reply }) => {
      const place = { round: at.view.round + 1, path: target.path, turn, left };
      const blueprint = plan.blueprint ?? at.blueprint;
      const seen = { stateRef: at.stateRef, blueprint, needed: needed.flatMap(writtenOf) };
      return inContext(() =>
        activities.applyTools({ ...call, ...place, ...seen, conversation, reply }),
      );
    },
    remember: async ({ blueprint }, { path, file }) =>
      (await hold(1, () => activities.remember({ ...paid, blueprint, path, file }), true)).note,
    diagnoseRound: async ({ stateRef }, { blueprint }, results) => {
      const amended = blueprint && { blueprint };
      const input = { ...call, stateRef, results: [...results], ...amended };
      return (await inContext(() => activities.diagnoseRound(input))).diagnosis;
    },
    inspectRepository: async ({ stateRef }) =>
      (await inContext(() => activities.inspectRepository({ ...call, stateRef }))).diagnosis,
    commitRound: ({ stateRef }, folded) =>
      inContext(() => activities.commitRound({ ...call, ...spending, stateRef, record: folded })),
    writeReport: async ({ stateRef, view }) => {
      const reason = view.stop ?? 'stopped';
      const end = { stateRef, reason, failure: '', sequence: 1 } as const;
      return (await inContext(() => activities.writeReport({ ...call, ...spending, ...end })))
        .outcome;
    },
  };
}

function writtenOf(result: TargetResult) {
  return result.kind === 'written' ? [{ path: result.path, file: result.file }] : [];
}

/** Activities ask for their context: its heartbeat and its cancel signal. */
export function inContext<Result>(work: () => Promise<Result>): Promise<Result> {
  // An activity that fails is the test's business, and no line of its output.
  const logger = new DefaultLogger('ERROR');
  const environment = new MockActivityEnvironment({ heartbeatTimeoutMs: 30_000 }, { logger });
  return environment.run<[], Result, () => Promise<Result>>(work);
}

interface Waiting {
  readonly width: number;
  readonly yields: boolean;
  readonly start: () => void;
}

/** At most `parallel` calls at once; those that yield start when no other waits, as in the workflow. */
function openSlots(parallel: number) {
  let free = parallel;
  let waiting: Waiting[] = [];

  function startNext(): void {
    for (const next of [...waiting]) {
      if (next.width > free) continue;
      if (next.yields && waiting.some(({ yields }) => !yields)) continue;
      waiting = waiting.filter((each) => each !== next);
      free -= next.width;
      next.start();
    }
  }

  return async <Result>(width: number, work: () => Promise<Result>, yields = false) => {
    await new Promise<void>((start) => {
      waiting.push({ width: Math.min(width, parallel), yields, start });
      startNext();
    });
    try {
      return await inContext(work);
    } finally {
      free += Math.min(width, parallel);
      startNext();
    }
  };
}
