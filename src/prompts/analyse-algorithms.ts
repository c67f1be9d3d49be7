import type { AlgorithmAnalysis } from '../domain/evidence.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { analystPrompt } from './analyst-prompt.ts';
import { END_WITH_DONE } from './markdown-answer.ts';
import type { Prompt } from './prompt.ts';

const TASK = `# Your task: every equation and algorithm, ready to be coded
Your reader plans the code with paper and your text side by side, and will not derive anything again: refer to the paper by id, and write what it does not say in so many words.

Take every algorithm, numbered equation, and formula in running text that code must compute, in the paper's order, appendix included. For each write a section headed by its id with those of these items that apply:
- **Formula:** its id where it can be coded as it stands; else the form to be coded, as LaTeX. In words what is minimised, maximised or computed, and the sign of each term.
- **Symbols:** each with meaning, shape, type, range, and where it comes from.
- **Gradients:** what is trained, what is frozen, where a gradient is stopped, what is sampled and how gradients pass through it.
- **Procedure:** numbered steps in the order of updates; what runs per step, per batch, per epoch, once.
- **Initialisation, schedules, constants:** each value with its id.
- **Edge cases:** empty sets, division by zero, ties, clipping, masking, first and last step, normalisation axes, numerical stability.
- **Cost:** what would be infeasible or not differentiable if coded naively, and the exact equivalent to use.
- **Differs from its parent:** what the cited method does that this one does not, and the reverse.
- **Check:** two lines with small concrete numbers, input and expected output, worked out by hand, that a unit test can use.
Then:
- **Architectures:** layer by layer, with sizes, activations, normalisation, initialisation, parameter counts where stated. Each open reading (does a count of layers include first and last? blocks or layers?) with both counts.
- **Hyper-parameters:** only what is not plain from the paper: which value holds where, and where text and tables disagree. The ledger lists the rest.
- **Baselines and borrowed components:** for each the objective, update rule, architecture and defaults, from the paper if it says them; else as you know them from the cited work, marked "inferred".

If an item is not stated say so. At most 2,500 words. ${END_WITH_DONE}`;

/** Z_alg: algorithms, equations, losses, architectures, hyper-parameters. */
export function analyseAlgorithms(
  paper: PaperDocument,
  userRequests: readonly string[],
): Prompt<AlgorithmAnalysis> {
  const ask = { schemaId: 'analyse-algorithms/1', task: TASK };
  return analystPrompt(ask, paper, userRequests, (markdown) => ({ schemaVersion: 1, markdown }));
}
