import { counted } from '../domain/counted.ts';
import type { PaperDocument } from '../domain/paper.ts';
import type { Source, Task } from '../domain/task.ts';
import { readPaper as readSources } from '../papers/read-paper.ts';
import { putJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { Call } from './inputs.ts';
import { loadSettings } from './load.ts';
import { say } from './say.ts';

/** p and its supplements → D̃. Throws `PaperUnreadable`, which fails the run. */
export function readPaper(deps: Deps) {
  return unpaid(Call, async ({ run, settings }, signal) => {
    const {
      task,
      settings: { seesFigures },
    } = await loadSettings(deps, settings);
    const bytesOf = async ({ name, content }: Source) => ({
      name,
      bytes: await deps.store.get(content),
    });
    const supplements = await Promise.all(task.supplements.map(bytesOf));
    const document = await readSources(await bytesOf(task.paper), supplements, deps.pdf, signal);
    const paper = await putJson(deps.store, document);
    const { title, markdown, parts } = document.paper;
    const text = `Read "${title}": ${counted(markdown.length, 'character')}, ${counted(parts.length, 'part')}, ${counted(supplements.length, 'supplement')}.`;
    await say(deps, run, { kind: 'paper-read', round: 0, subject: '', text, ref: paper });
    for (const notice of [
      ...document.notices,
      ...(seesFigures === true ? [] : figureNotice(document, task)),
    ]) {
      await say(deps, run, { kind: 'notice', round: 0, subject: notice, text: notice, ref: null });
    }
    return { paper };
  });
}

/** Whoever reads the report must know what nobody has looked at. */
function figureNotice({ paper }: PaperDocument, { figures }: Task): string[] {
  const shown = paper.parts.filter(({ kind }) => kind === 'figure').length;
  if (shown === 0 && figures.length === 0) return [];
  return ['Figures were read from their captions and the text; no image was looked at.'];
}
