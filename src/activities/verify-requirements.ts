import { counted } from '../domain/counted.ts';
import { CONTEXT_LIMITS, paperTokens } from '../domain/file-context.ts';
import { firstNames } from '../domain/first-sentences.ts';
import { ownedSpans } from '../domain/paper-spans.ts';
import { roundChecks } from '../domain/round-checks.ts';
import { Subplan } from '../domain/round.ts';
import { plannedTree } from '../domain/tree.ts';
import type { Verification } from '../domain/verification.ts';
import type { Batch } from '../domain/verify-batches.ts';
import {
  verifyRequirements as askVerdicts,
  type Verified,
} from '../prompts/verify-requirements.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { paid, type Paying } from './activity.ts';
import { askVerifier, type Decided, type LeftOpen, type Sees } from './ask-verifier.ts';
import type { Deps } from './deps.ts';
import { VerifyInput } from './inputs.ts';
import { loadBlueprint, loadPaper, loadState } from './load.ts';
import { say } from './say.ts';
import { questionsOf, readRepository, type VerifyQuestion } from './verify-questions.ts';

const MOST_NAMES = 8;

/**
 * The verifier: what of the paper the code does, told from the paper's words and whole files alone. A batch of demands
 * and checks is one call; batches stand side by side. What a call leaves open is asked once more, then told.
 */
export function verifyRequirements(deps: Deps) {
  return paid(deps, VerifyInput, verify, (input) => ({ prefix: labelOf(input) }));

  async function verify(input: VerifyInput, { task, ask }: Paying) {
    const state = await loadState(deps, input.stateRef);
    const blueprint = await loadBlueprint(deps, input.blueprint);
    const written = input.results.filter((result) => result.kind === 'written');
    const tree = {
      ...plannedTree(state.tree, blueprint),
      ...Object.fromEntries(written.map(({ path, file }) => [path, file])),
    };
    const repository = await readRepository(deps, tree, blueprint);
    const checks =
      input.subplan === null
        ? []
        : roundChecks(state, await getJson(deps.store, Subplan, input.subplan), input.results);
    const touched = input.scope === 'gate' ? null : written.map(({ path }) => path);
    const { asked, unasked } = questionsOf(repository, state, blueprint, { checks, touched });
    const paper = await loadPaper(deps, state.paper);
    const sees: Sees = paperTokens(paper) <= CONTEXT_LIMITS.paperTokens ? 'paper' : 'spans';
    const common = {
      ...{ paper, userRequests: task.userRequests },
      commands: blueprint.experiments.map(({ id, command }) => `${id}: ${command}`),
      unwritten: blueprint.files.filter(({ path }) => !tree[path]),
    };
    const decided = await askVerifier(
      (batch, under, seen) =>
        ask('judge', under, askVerdicts({ ...common, ...ofBatch(batch, seen) })),
      asked,
      repository,
      { label: labelOf(input), sees },
    );
    await tell(input, decided, unasked);
    const verification: Verification = {
      schemaVersion: 1,
      requirements: [...decided.requirements],
      checks: [...decided.checks],
      undecided: [...unasked, ...idsOf(decided.open)],
    };
    return { verification: await putJson(deps.store, verification) };

    function ofBatch({ questions, files }: Batch<VerifyQuestion>, seen: Sees) {
      const requirements = questions.filter((each) => each.kind === 'requirement');
      const demands = requirements.map(({ requirement }) => requirement);
      return {
        isPaperShown: seen === 'paper',
        spans: seen === 'paper' ? [] : ownedSpans(paper, demands, CONTEXT_LIMITS.spanTokens),
        files: files.map((path) => ({ path, text: repository.texts.get(path) ?? '' })),
        others: [...repository.texts.keys()].filter((path) => !files.includes(path)),
        requirements,
        checks: questions.flatMap((each) =>
          each.kind === 'check' ? [{ ...each.check, number: each.number }] : [],
        ),
      } satisfies Partial<Verified>;
    }
  }

  async function tell(
    { run, round, scope }: VerifyInput,
    { requirements, checks, open }: Decided,
    unasked: readonly string[],
  ): Promise<void> {
    const fact = { kind: 'notice', round, ref: null } as const;
    if (requirements.length + checks.length > 0) {
      const met = requirements.filter(({ verdict }) => verdict === 'met').length;
      const text = `Verified ${counted(requirements.length, 'requirement')}, of which ${met} ${met === 1 ? 'is' : 'are'} met${checks.length > 0 ? `, and ${counted(checks.length, 'check')}` : ''}.`;
      await say(deps, run, { ...fact, subject: `verified ${scope}`, text });
    }
    const left = [...unasked, ...open.map(({ question }) => question.key)];
    if (left.length === 0) return;
    const why = open[0] === undefined ? 'no owner of them is written' : open[0].why;
    const text = `The verifier did not decide ${firstNames(left, MOST_NAMES)}: ${why}`;
    await say(deps, run, { ...fact, subject: `undecided ${scope}`, text });
  }
}

/** What the labels of one verification begin with, as those of no other do. */
function labelOf({ round, scope }: Pick<VerifyInput, 'round' | 'scope'>): string {
  return `r${round}/${scope === 'gate' ? 'verify-gate' : 'verify'}/`;
}

function idsOf(open: readonly LeftOpen[]): string[] {
  return open.flatMap(({ question }) => (question.kind === 'requirement' ? question.key : []));
}
