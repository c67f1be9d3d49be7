import type { At, TargetResult } from '../domain/round.ts';
import type { Steps } from './loop.ts';
import type { Notebook } from './notebook.ts';
import { openProxies } from './proxies.ts';
import { applyPendingSettings } from './settings.ts';
import type { Till } from './spend.ts';
import { verifySteps } from './verify-steps.ts';

/** The parts of `Steps` that need more than an activity; `reproduce.ts` supplies them. */
export type OwnSteps = Pick<Steps, 'approveBlueprint' | 'mayGoOn' | 'writeReport'>;

/** The method's verbs as activities behind the till. */
export function openSteps(notebook: Notebook, till: Till, own: OwnSteps): Steps {
  const { input } = notebook;
  const mode = input.controls.mode ?? 'fast';
  const { calls, work } = openProxies(input.controls.heartbeatMs);
  const call = () => ({
    schemaVersion: 1 as const,
    run: input.run,
    incarnation: input.incarnation,
    settings: notebook.settings,
  });

  /** A paid step's call: it finds what was answered under the settings that it was asked under before. */
  function paidCall(label: string) {
    const asked = notebook.askedUnder.get(label) ?? [];
    const { settings } = notebook;
    const earlier = asked.filter(({ sha256 }) => sha256 !== settings.sha256);
    notebook.askedUnder.set(label, [...earlier, settings]);
    return { ...call(), ...(earlier.length > 0 && { earlier }) };
  }

  function analyse(
    verb: 'analyseFigures' | 'analyseConcepts' | 'analyseAlgorithms',
    label: string,
  ) {
    return async (paper: At['stateRef']) => {
      const { evidence } = await till.paid({ label, calls: 1, verb }, (allowance) =>
        calls[verb].executeWithOptions({ summary: label }, [
          { ...paidCall(label), paper, allowance },
        ]),
      );
      return evidence;
    };
  }

  function spending() {
    return { purse: notebook.purse, calls: notebook.calls, reused: notebook.reused };
  }

  /** A round is planned once more when the gate has opened it again: another step, with an account of its own. */
  function planLabel(round: number): string {
    const label = `plan round ${round}`;
    let look = 1;
    while (
      mode === 'deepplan' &&
      notebook.booked.has(`${label}${look > 1 ? `, look ${look}` : ''}`)
    )
      look += 1;
    return look > 1 ? `${label}, look ${look}` : label;
  }

  async function committed(at: At): Promise<At> {
    notebook.at = at;
    notebook.phase = 'rounds';
    notebook.blueprint = at.blueprint;
    return at;
  }

  return {
    ...own,
    maxTurns: input.controls.maxTurns,
    mode,
    analyseFigures: analyse('analyseFigures', 'analyse figures'),
    analyseConcepts: analyse('analyseConcepts', 'analyse concepts'),
    analyseAlgorithms: analyse('analyseAlgorithms', 'analyse algorithms'),

    async readPaper() {
      const step = { label: 'read paper', calls: 0 };
      return (await till.free(step, () => work.readPaper(call()))).paper;
    },

    async extractRequirements(paper) {
      const step = { label: 'extract requirements', calls: 3, verb: 'extractRequirements' };
      const { requirements } = await till.paid(step, (allowance) =>
        calls.extractRequirements.executeWithOptions({ summary: step.label }, [
          { ...paidCall(step.label), paper, allowance },
        ]),
      );
      return requirements;
    },

    async draftBlueprint(paper, views) {
      const step = { label: 'draft blueprint', calls: 2, verb: 'draftBlueprint' };
      const { blueprint } = await till.paid(step, (allowance) =>
        calls.draftBlueprint.executeWithOptions({ summary: step.label }, [
          { ...paidCall(step.label), paper, views, allowance },
        ]),
      );
      notebook.blueprint = blueprint;
      return blueprint;
    },

    async begin(paper, blueprint) {
      const step = { label: 'begin', calls: 0 };
      const input = { ...call(), paper, blueprint, ...spending() };
      return committed(await till.free(step, () => work.begin(input)));
    },

    async planRound({ stateRef, view }) {
      const label = planLabel(view.round + 1);
      if (mode === 'fast')
        return till.free({ label, calls: 0 }, () => work.planRound({ ...call(), stateRef }));
      return till.paid({ label, calls: 1, verb: 'planRound' }, (allowance) =>
        calls.planRound.executeWithOptions({ summary: label }, [
          { ...paidCall(label), stateRef, allowance },
        ]),
      );
    },

    async takeTurn({ at, plan, target, turn, left, conversation, needed }) {
      const round = at.view.round + 1;
      const label = `round ${round}: write ${target.path}${turn > 1 ? `, turn ${turn}` : ''}`;
      return till.paid({ label, calls: 1, verb: 'takeTurn' }, (allowance) =>
        calls.takeTurn.executeWithOptions({ summary: label }, [
          {
            ...paidCall(label),
            allowance,
            stateRef: at.stateRef,
            blueprint: plan.blueprint ?? at.blueprint,
            round,
            path: target.path,
            turn,
            conversation,
            needed: needed.flatMap(writtenOf),
            ...(mode === 'deepplan' && { subplan: plan.subplan }),
            left,
          },
        ]),
      );
    },

    async applyTools({ at, plan, target, turn, left, needed }, { conversation, reply }) {
      const round = at.view.round + 1;
      const step = { label: `round ${round}: apply ${target.path}, turn ${turn}`, calls: 0 };
      const { path } = target;
      return till.free(step, () =>
        work.applyTools({
          ...call(),
          round,
          path,
          turn,
          conversation,
          reply,
          stateRef: at.stateRef,
          blueprint: plan.blueprint ?? at.blueprint,
          needed: needed.flatMap(writtenOf),
          left,
        }),
      );
    },

    async remember(at, { path, file }) {
      // The content names the step: a file rewritten later is another thing to remember.
      const label = `remember ${path} (${file.sha256.slice(0, 8)})`;
      const { note } = await till.paid(
        { label, calls: 1, verb: 'remember', yields: true },
        (allowance) =>
          calls.remember.executeWithOptions({ summary: label }, [
            { ...paidCall(label), allowance, blueprint: at.blueprint, path, file },
          ]),
      );
      return note;
    },

    async judgeRound({ stateRef, blueprint, view }, plan, results) {
      const round = view.round + 1;
      const label = `round ${round}: judge`;
      const { judgement } = await till.paid({ label, calls: 1, verb: 'judgeRound' }, (allowance) =>
        calls.judgeRound.executeWithOptions({ summary: label }, [
          {
            ...{ ...paidCall(label), allowance, stateRef, round, subplan: plan.subplan },
            ...{ blueprint: plan.blueprint ?? blueprint, results: [...results] },
          },
        ]),
      );
      return judgement;
    },

    async diagnoseRound({ stateRef, view }, { blueprint }, results) {
      const step = { label: `round ${view.round + 1}: diagnose`, calls: 0 };
      const amended = blueprint && { blueprint };
      const input = { ...call(), stateRef, results: [...results], ...amended };
      return (await till.free(step, () => work.diagnoseRound(input))).diagnosis;
    },

    ...verifySteps({ verify: input.controls.verify, till, calls, paidCall }),

    async inspectRepository({ stateRef, view }) {
      const step = { label: `inspect the repository after round ${view.round}`, calls: 0 };
      const input = { ...call(), stateRef };
      return (await till.free(step, () => work.inspectRepository(input))).diagnosis;
    },

    async commitRound({ stateRef, view }, record) {
      const step = { label: `commit ${view.commits + 1}`, calls: 0 };
      const { retries } = notebook;
      const granted = retries.length > 0 ? { retries: retries.map(({ path }) => path) } : {};
      const input = { ...call(), stateRef, record, ...spending(), ...granted };
      const at = await till.free(step, () => work.commitRound(input));
      // Those that came meanwhile are of the next commit.
      notebook.retries = notebook.retries.filter((retry) => !retries.includes(retry));
      applyPendingSettings(notebook);
      return committed(at);
    },
  };
}

function writtenOf(result: TargetResult) {
  return result.kind === 'written' ? [{ path: result.path, file: result.file }] : [];
}
