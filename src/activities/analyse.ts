import { counted } from '../domain/counted.ts';
import type { FigureEvidence } from '../domain/evidence.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { analyseAlgorithms as askAlgorithms } from '../prompts/analyse-algorithms.ts';
import { analyseConcepts as askConcepts } from '../prompts/analyse-concepts.ts';
import { analyseFigures as askFigures } from '../prompts/analyse-figures.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { putJson } from '../store/stored-json.ts';
import { paid } from './activity.ts';
import type { Deps } from './deps.ts';
import { PaperInput } from './inputs.ts';
import { loadPaper } from './load.ts';
import { say } from './say.ts';

/** Z_fig, from captions and the text around them while no vision model is named. */
export function analyseFigures(deps: Deps) {
  return analyse(deps, 'figures', askFigures);
}

/** Z_con: problem, method, data, metrics, results. */
export function analyseConcepts(deps: Deps) {
  return analyse(deps, 'concepts', askConcepts);
}

/** Z_alg: algorithms, equations, losses, hyper-parameters. */
export function analyseAlgorithms(deps: Deps) {
  return analyse(deps, 'algorithms', askAlgorithms);
}

type Evidence = Pick<FigureEvidence, 'schemaVersion' | 'markdown'>;

function analyse<Answer extends Evidence>(
  deps: Deps,
  view: 'figures' | 'concepts' | 'algorithms',
  prompt: (paper: PaperDocument, userRequests: readonly string[]) => Prompt<Answer>,
) {
  return paid(deps, PaperInput, async (input, { task, ask }) => {
    const paper = await loadPaper(deps, input.paper);
    const asked = prompt(paper, task.userRequests);
    const reading = await ask('analysis', `analyse/${view}`, asked);
    if (reading.kind === 'problems') {
      const text = `The analysis of ${view} gave no usable answer and is missing: ${reading.problems.join(' ')}`;
      await say(deps, input.run, { kind: 'notice', round: 0, subject: view, text, ref: null });
    }
    const nothing = { schemaVersion: 1, markdown: '(This analysis is missing.)' };
    const answer = reading.kind === 'answer' ? reading.answer : nothing;
    const shaped = view === 'figures' ? { seen: false, ...answer } : answer;
    const evidence = await putJson(deps.store, shaped);
    const text = `Analysed ${view}: ${counted(answer.markdown.length, 'character')}.`;
    await say(deps, input.run, {
      kind: 'evidence-found',
      round: 0,
      subject: view,
      text,
      ref: evidence,
    });
    return { evidence };
  });
}
