import { counted } from '../domain/counted.ts';
import type { FigureEvidence } from '../domain/evidence.ts';
import type { Role } from '../domain/message.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { analyseAlgorithms as askAlgorithms } from '../prompts/analyse-algorithms.ts';
import { analyseConcepts as askConcepts } from '../prompts/analyse-concepts.ts';
import { analyseFigures as askFigures } from '../prompts/analyse-figures.ts';
import type { Prompt } from '../prompts/prompt.ts';
import { putJson } from '../store/stored-json.ts';
import { paid, type Paying } from './activity.ts';
import type { Deps } from './deps.ts';
import { PaperInput } from './inputs.ts';
import { loadPaper } from './load.ts';
import { say } from './say.ts';
import { showFigures } from './show-figures.ts';

/** Z_fig, from captions and the text around them, and from the figures themselves where a vision model is named. */
export function analyseFigures(deps: Deps) {
  return analyse(deps, 'figures', async (asked) => {
    const { paper, task, settings, signal } = asked;
    if (settings.seesFigures !== true)
      return { role: 'analysis', prompt: askFigures(paper, task.userRequests) };
    const { shown, leftOut } = await showFigures(deps, { task, paper, signal });
    const { model } = settings.models.vision;
    const text =
      shown.length === 0
        ? 'There are no images of figures to look at: they were read from their captions.'
        : `${shown.length} images of figures were looked at by ${model}${leftOut > 0 ? `; ${leftOut} more were read from their captions alone` : ''}.`;
    return {
      seen: text,
      role: shown.length === 0 ? 'analysis' : 'vision',
      prompt: askFigures(paper, task.userRequests, shown),
    };
  });
}

/** Z_con: problem, method, data, metrics, results. */
export function analyseConcepts(deps: Deps) {
  return analyse(deps, 'concepts', async ({ paper, task }) => ({
    role: 'analysis',
    prompt: askConcepts(paper, task.userRequests),
  }));
}

/** Z_alg: algorithms, equations, losses, hyper-parameters. */
export function analyseAlgorithms(deps: Deps) {
  return analyse(deps, 'algorithms', async ({ paper, task }) => ({
    role: 'analysis',
    prompt: askAlgorithms(paper, task.userRequests),
  }));
}

/** What an analyst's question is made of. */
interface Asked extends Pick<Paying, 'task' | 'settings' | 'signal'> {
  readonly paper: PaperDocument;
}

/** Who is asked, and what; with what to tell of the pictures, once it is answered. */
interface Question<Answer> {
  readonly role: Role;
  readonly prompt: Prompt<Answer>;
  readonly seen?: string;
}

type Evidence = Pick<FigureEvidence, 'schemaVersion' | 'markdown'>;

function analyse<Answer extends Evidence>(
  deps: Deps,
  view: 'figures' | 'concepts' | 'algorithms',
  prepare: (asked: Asked) => Promise<Question<Answer>>,
) {
  return paid(deps, PaperInput, async (input, { task, settings, signal, ask }) => {
    const paper = await loadPaper(deps, input.paper);
    const { role, prompt, seen } = await prepare({ paper, task, settings, signal });
    const reading = await ask(role, `analyse/${view}`, prompt);
    // Not before the answer is there: until then nobody has looked at anything.
    if (seen !== undefined)
      await say(deps, input.run, {
        kind: 'notice',
        round: 0,
        subject: 'vision',
        text: seen,
        ref: null,
      });
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
