import type { Paying } from './activity.ts';
import type { Deps } from './deps.ts';
import { say } from './say.ts';

/** What each call of planning does, for a person who waits for it. */
const STEPS: ReadonlyMap<string, string> = new Map([
  ['plan/setup', 'Planning: drafts values, method cards and environment.'],
  ['plan/files', 'Planning: drafts files and experiments.'],
  ['plan/attack', 'Planning: has the draft attacked.'],
  ['plan/amend', 'Planning: amends the draft.'],
]);

/** The same means, but each call of planning is told when it begins: together they may take a quarter of an hour. */
export function tellPlanning(deps: Deps, run: string, paying: Paying): Paying {
  return {
    ...paying,
    async ask(role, label, prompt) {
      const text = STEPS.get(label);
      if (text !== undefined)
        await say(deps, run, {
          kind: 'plan-step-began',
          round: 0,
          subject: label,
          text,
          ref: null,
        });
      return paying.ask(role, label, prompt);
    },
  };
}
