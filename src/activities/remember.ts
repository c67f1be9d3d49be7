import { isCalledByCode, isTest } from '../domain/known-file.ts';
import { remember as askNotes } from '../prompts/remember.ts';
import { getText } from '../store/stored-json.ts';
import { paid } from './activity.ts';
import type { Deps } from './deps.ts';
import { RememberInput } from './inputs.ts';
import { loadBlueprint } from './load.ts';
import { say } from './say.ts';

/** The memory agent: what one content of one file does that its signatures do not say. */
export function remember(deps: Deps) {
  return paid(deps, RememberInput, async ({ run, blueprint, path, file }, { ask }) => {
    const { files } = await loadBlueprint(deps, blueprint);
    const planned = files.find((each) => each.path === path);
    if (!planned) throw new Error(`The blueprint plans no file "${path}".`);
    // Notes are for those who call a file's code; others read it by its interface, its flags and its own words.
    if (!path.endsWith('.py') || isTest(path) || !isCalledByCode(path, files)) {
      return { note: { path, file, text: await deps.store.put('') } };
    }
    const prompt = askNotes(planned, await getText(deps.store, file));
    const label = `remember/${path}/${file.sha256.slice(0, 12)}`;
    const reading = await ask('memory', label, prompt);
    const text = reading.kind === 'answer' ? await deps.store.put(reading.answer.notes) : null;
    const said = text ? `Noted what ${path} does.` : `No usable notes on ${path}.`;
    await say(deps, run, {
      kind: 'file-remembered',
      round: 0,
      subject: path,
      text: said,
      ref: text,
    });
    return { note: { path, file, text } };
  });
}
