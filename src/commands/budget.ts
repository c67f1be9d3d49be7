import type { Command } from 'commander';
import { formatAmount } from '../domain/budget.ts';
import { readStatus } from '../runs/read-status.ts';
import { setBudget } from '../runs/steer-run.ts';
import { parseCap } from './option-values.ts';
import type { Ports } from './ports.ts';

/** Adds `budget`: sets the cap of a run that is under way. */
export function addBudget(program: Command, ports: Ports): void {
  program
    .command('budget')
    .summary('set the cap of a run')
    .description(
      'Sets what a run may spend in all, in its unit (USD or tokens); a run that waits for money goes on.',
    )
    .argument('<name>', "the run's name")
    .argument('<amount>', 'the new cap, or none', parseCap('the amount'))
    .addHelpText('after', '\nExample:\n  $ deeprepro budget my-paper 25')
    .action(async (name: string, cap: number | null) => {
      await setBudget(ports.runs(), name, cap);
      const { account } = await readStatus(ports.runs(), name);
      const what = cap === null ? 'without a cap' : `capped at ${formatAmount(cap, account.unit)}`;
      const spent = formatAmount(account.spent, account.unit);
      const isReached = cap !== null && cap <= account.spent;
      ports.terminal.out(
        `${name} is now ${what}; it has spent ${spent}${isReached ? ', so it makes no further call under this cap' : ''}.`,
      );
    });
}
