import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { planRemoval, removeRun, settleInBatch, type Removal } from '../runs/remove-run.ts';
import type { Ports } from './ports.ts';

/** Adds `remove`: forgets a run. */
export function addRemove(program: Command, ports: Ports): void {
  program
    .command('remove')
    .summary('forget a run')
    .description(
      'Removes a run that is not under way, with its replies where no fork shares them; asks first. What it alone used of the store goes with `deeprepro prune`.',
    )
    .argument('<name>', "the run's name")
    .option('--yes', 'do not ask')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro remove my-paper')
    .action(async (name: string, { yes, json }: { yes?: true; json?: true }) => {
      const removal = await planRemoval(ports.runs(), name);
      if (!yes && !(await isWanted(ports, removal))) {
        ports.terminal.err(`${name} is left as it is.`);
        ports.setExitCode(1);
        return;
      }
      await settleInBatch(ports.batches(), removal);
      await removeRun(ports.runs(), removal);
      const { replies, sharedWith } = removal;
      ports.terminal.out(
        json
          ? JSON.stringify({ removed: name, replies, sharedWith })
          : `${name} is removed; \`deeprepro prune\` gives back the space.`,
      );
    });
}

async function isWanted(ports: Ports, removal: Removal): Promise<boolean> {
  const { name } = removal;
  const answer = await ports.confirm(`${describe(removal)} Remove it?`);
  if (answer !== undefined) return answer;
  throw new UsageError(
    `There is nobody here to ask whether "${name}" is to be removed: add --yes. ${describe(removal)}`,
  );
}

function describe({ name, record, replies, sharedWith }: Removal): string {
  if (!record) return `The record of ${name} cannot be read.`;
  const state = record.outcome ?? 'not ended';
  const kept =
    sharedWith.length > 0
      ? `its replies are kept for ${sharedWith.join(', ')}`
      : `with it go ${replies} paid ${replies === 1 ? 'reply' : 'replies'}`;
  return `${name} (${record.paper}, ${state}): ${kept}.`;
}
