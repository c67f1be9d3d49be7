import { aChain, aPlan, answerTo, type PlannedFile } from '../fakes/plan-scenario.ts';
import { fillRound } from './subplanner.ts';

/** A fixed project, the same for every system and every run. */
export interface BenchPlan {
  readonly name: string;
  readonly files: readonly PlannedFile[];
}

/** The plans of the peers' measurement: 12 files of depth 5 and 24 of depth 7, and the chain, where nothing is parallel. */
export const PLANS = {
  chain12: { name: 'chain-12', files: aChain(12) },
  plan12: { name: 'plan-12-5', files: aPlan({ files: 12, depth: 5 }) },
  plan24: { name: 'plan-24-7', files: aPlan({ files: 24, depth: 7 }) },
} as const satisfies Record<string, BenchPlan>;

/** As long as the paper that the peers were given. */
export const PAPER_CHARACTERS = 36_000;

/** The plan with `count` further files that nothing needs and that need nothing. */
export function withLeaves({ name, files }: BenchPlan, count: number): BenchPlan {
  const leaves = Array.from({ length: count }, (_, index) => ({
    path: `src/leaf_${String(index + 1).padStart(2, '0')}.py`,
    needs: [],
  }));
  // The last file owns the paper's requirement and must stay the last.
  return {
    name: `${name}+${count}`,
    files: [...files.slice(0, -1), ...leaves, ...files.slice(-1)],
  };
}

/** Lines of a module of the peers' project. */
const LINES = 58;
/** Functions that make a module so long. */
const STEPS = 4;

/** A check that the judge decides, so that every round has all its calls. */
function checked(): string[] {
  return ['reason: its turn', 'check: model | it adds every part'];
}

/**
 * A dutiful model's answer under a plan, in modules of the peers' length. `mark` goes into every text, so that no
 * content is in the store before.
 */
export function benchAnswer(prompt: string, { files }: BenchPlan, mark: string): string {
  if (prompt.includes('# Your task: plan the next round')) return fillRound(prompt, checked);
  return answerTo(prompt, files)
    .replaceAll('toy method', `toy method ${mark}`)
    .replaceAll('lines: 20', `lines: ${LINES}`)
    .replace(/\n````\n@met\nR1: (\S+\.py)/, (end) => `${steps()}${end}`);
}

function steps(): string {
  const lines = Array.from({ length: STEPS }, (_, index) => [
    '',
    '',
    `def step_${index + 1}(total: float) -> float:`,
    `    """Step ${index + 1} of the sum."""`,
    ...Array.from({ length: 7 }, (_unused, term) => `    total = total + ${term + 1}.0`),
    '    return total',
  ]);
  return `\n${lines.flat().join('\n')}`;
}
