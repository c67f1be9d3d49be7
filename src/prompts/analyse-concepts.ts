import type { ConceptAnalysis } from '../domain/evidence.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { analystPrompt } from './analyst-prompt.ts';
import { END_WITH_DONE } from './markdown-answer.ts';
import type { Prompt } from './prompt.ts';

const TASK = `# Your task: what the paper does, experiment by experiment
Your reader plans the repository with paper and your text side by side: refer to the paper by id instead of repeating it. What you leave out will not be built.

Write these sections:
1. **Problem and method:** what is solved and how, in five sentences at most; the parts of the method and how they depend on each other; which other works' components it uses, and how this use differs from theirs.
2. **Experiments:** every experiment, table, figure, ablation and sensitivity study, one subsection each, with:
   - the question, and the claim it supports with its direction and size;
   - the cells: every combination of dataset or environment × method × varied setting that is reported. List the values; "etc." and "various" are not values. One awkward dataset or baseline left out costs as much as a wrong method;
   - data: exact name, version, source, preprocessing, split with sizes; for environments: id, version, wrappers, normalisation, reward variant;
   - base or pre-trained models: which, from where, and how to train them when they cannot be downloaded;
   - methods compared: the paper's own and each baseline by the name the paper gives it; which baselines are re-implemented, which only quoted;
   - metrics: by formula, aggregation over samples, runs and seeds;
   - measurement: what is logged, when and how often during training, what is timed, what memory is measured, what is derived afterwards;
   - settings: budgets, epochs, steps, batch sizes, seeds, hardware, and hyper-parameters that hold for this experiment only;
   - switches: what a reader must be able to select or vary without editing code.
   Every item is filled or says "not stated".
3. **Data and environments:** each once, with every experiment that uses it.
4. **Baselines:** each once: what it optimises, what it needs, what the paper changes in it, which experiments use it.
5. **Out of scope:** what paper or supplements exclude, quoted.
6. **Contradictions and gaps:** both readings, your choice, the reason. Go through the result tables with arithmetic: a deeper model that trains faster, two rows that differ though one model is described, a gain smaller than the spread between equal runs, a text that claims what its table denies. Name the conventions that are left open (logarithm's base, norm, unit, averaging), and which reading the published numbers support.
7. **Names:** three lines for a program, each name as the paper spells it, once:
   methods: the paper's own | each baseline | each ablation
   datasets: each dataset or environment
   measures: each reported quantity
Read the appendices and supplements last; then read them again and add what sections 2 to 4 still lack.

Quote ids everywhere. At most 2,400 words, the experiments taking most of them. ${END_WITH_DONE}`;

/** Z_con: problem, method, data, metrics and results, experiment by experiment. */
export function analyseConcepts(
  paper: PaperDocument,
  userRequests: readonly string[],
): Prompt<ConceptAnalysis> {
  const ask = { schemaId: 'analyse-concepts/1', task: TASK };
  return analystPrompt(ask, paper, userRequests, (markdown) => ({ schemaVersion: 1, markdown }));
}
