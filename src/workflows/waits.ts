import { formatAmount } from '../domain/budget.ts';
import { capFor } from '../domain/budget.ts';
import type { Wait } from '../domain/wait.ts';
import type { Notebook } from './notebook.ts';

/** All that the run waits for now, each with its remedy; empty while it goes on by itself. */
export function waitsOf(notebook: Notebook): Wait[] {
  const { input } = notebook;
  const waits = [...notebook.problems.values()];
  if (notebook.paused) {
    waits.push({
      kind: 'pause',
      step: '',
      message: 'Paused by a person.',
      remedy: `Run \`deeprepro resume ${input.run}\`.`,
    });
  }
  if (notebook.phase === 'approval' && notebook.blueprint) {
    waits.push({
      kind: 'approval',
      step: '',
      message: 'The blueprint waits for approval.',
      remedy: `Read it with \`deeprepro status ${input.run} --blueprint\`, then run \`deeprepro approve ${input.run}\`.`,
    });
  }
  const budget = budgetWait(notebook);
  return budget ? [...waits, budget] : waits;
}

function budgetWait({ purse, unaffordable, input }: Notebook): Wait | undefined {
  // While others hold reservations, their leftovers may still be enough.
  if (unaffordable.size === 0 || purse.reserved > 0 || purse.cap === null) return undefined;
  const [step, needed] = [...unaffordable].reduce((least, next) =>
    next[1] < least[1] ? next : least,
  );
  const amount = (value: number) => formatAmount(value, purse.unit);
  const cap = capFor(purse, needed);
  const left = Math.max(0, purse.cap - purse.spent);
  return {
    kind: 'budget',
    step,
    message:
      needed > 0
        ? `The next model call may cost up to ${amount(needed)}, but only ${amount(left)} of ${amount(purse.cap)} is left.`
        : `The cap of ${amount(purse.cap)} is used up.`,
    remedy: `Run \`deeprepro budget ${input.run} ${purse.unit === 'usd' ? (Math.ceil(cap * 100) / 100).toFixed(2) : Math.ceil(cap)}\` or more, or end it with \`deeprepro stop ${input.run}\`.`,
  };
}
