import { z } from 'zod';
import { counted } from '../domain/counted.ts';
import { holdQuotes, lostQuotesText } from '../domain/held-quotes.ts';
import { Requirement } from '../domain/requirement.ts';
import { placesOf, uniteRequirements } from '../domain/unite-requirements.ts';
import { extractRequirements as askLens, LENSES } from '../prompts/extract-requirements.ts';
import { putJson } from '../store/stored-json.ts';
import { paid, type Paying } from './activity.ts';
import type { Deps } from './deps.ts';
import { PaperInput } from './inputs.ts';
import { loadPaper } from './load.ts';
import { say } from './say.ts';
import { settledAll } from './settled-all.ts';

/** The ledger before it has owners, as stored. */
export const Ledger = z.strictObject({
  schemaVersion: z.literal(1),
  requirements: z.array(Requirement),
});

/** Three readings of the paper side by side, each under its lens, united by code. */
export function extractRequirements(deps: Deps) {
  return paid(deps, PaperInput, extract, () => ({ prefix: 'requirements/' }));

  async function extract(input: PaperInput, { task, ask }: Paying) {
    const notice = (subject: string, text: string) =>
      say(deps, input.run, { kind: 'notice', round: 0, subject, text, ref: null });
    const paper = await loadPaper(deps, input.paper);
    const readings = await settledAll(
      LENSES.map((lens) =>
        ask('analysis', `requirements/${lens}`, askLens(paper, task.userRequests, lens)),
      ),
    );
    for (const [index, reading] of readings.entries()) {
      if (reading.kind === 'answer') continue;
      const text = `The ${LENSES[index] ?? ''} lens gave no usable requirements: ${reading.problems.join(' ')}`;
      await notice(`lens ${index}`, text);
    }
    const found = readings.map((reading) => (reading.kind === 'answer' ? reading.answer : []));
    const united = uniteRequirements(found, placesOf(paper));
    const ledger = holdQuotes(united, paper, task.userRequests);
    const lost = lostQuotesText(ledger);
    if (lost !== '') await notice('quotes', lost);
    const requirements = await putJson(deps.store, { schemaVersion: 1, requirements: ledger });
    const text = `Found ${counted(ledger.length, 'requirement')} (${found.map(({ length }) => length).join(' + ')} under ${LENSES.length} lenses).`;
    await say(deps, input.run, {
      kind: 'requirements-extracted',
      round: 0,
      subject: '',
      text,
      ref: requirements,
    });
    return { requirements };
  }
}
