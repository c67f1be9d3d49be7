import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { planRemoval, removeRun, settleInBatch, type Removal } from '../runs/remove-run.ts';
import { isBatchName } from './batch.ts';
import type { Ports } from './ports.ts';

/** Adds `remove`: forgets a run. */
export function addRemove(program: Command, ports: Ports): void {
  program
    .command('remove')
    .summary('forget a run or a batch')
    .description(
      'Removes a run that is not under way, with its replies where no fork shares them; asks first. A batch is forgotten without its runs. What it alone used of the store goes with `deeprepro prune`.',
    )
    .argument('<name>', "the run's name, or a batch's")
    .option('--yes', 'do not ask')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro remove my-paper')
    .action(async (name: string, { yes, json }: { yes?: true; json?: true }) => {
      if (await isBatchName(ports, name)) {
        await removeBatch(ports, name, { yes, json });
        return;
      }
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

/** The runs of the batch stay, each with the cap that it has. */
async function removeBatch(
  ports: Ports,
  name: string,
  { yes, json }: { readonly yes: true | undefined; readonly json: true | undefined },
): Promise<void> {
  const { entries } = await ports.batches().read(name);
  const begun = new Set(await ports.runs().folders.names());
  const runs = entries.flatMap(({ run }) => (begun.has(run) ? [run] : []));
  const stay = runs.length === 0 ? 'It has no runs.' : `Its runs stay: ${runs.join(', ')}.`;
  if (!yes && !(await isAnsweredYes(ports, name, `${name} is a batch. ${stay}`))) {
    ports.terminal.err(`${name} is left as it is.`);
    ports.setExitCode(1);
    return;
  }
  await ports.batches().remove(name);
  ports.terminal.out(
    json ? JSON.stringify({ removed: name, runs }) : `The batch ${name} is removed. ${stay}`,
  );
}

async function isWanted(ports: Ports, removal: Removal): Promise<boolean> {
  return isAnsweredYes(ports, removal.name, describe(removal));
}

async function isAnsweredYes(ports: Ports, name: string, what: string): Promise<boolean> {
  const answer = await ports.confirm(`${what} Remove it?`);
  if (answer !== undefined) return answer;
  throw new UsageError(
    `Whether "${name}" is to be removed cannot be asked without a terminal: add --yes. ${what}`,
  );
}

function describe({ name, record, replies, keptReplies, sharedWith }: Removal): string {
  if (!record) return `The record of ${name} cannot be read.`;
  const state = record.outcome ?? 'not ended';
  const counted = `${replies} paid ${replies === 1 ? 'reply' : 'replies'}`;
  const kept =
    keptReplies > 0
      ? `its replies are kept for ${sharedWith.join(', ')}`
      : replies > 0
        ? `with it go ${counted}`
        : 'it has no paid replies';
  return `${name} (${record.paper}, ${state}): ${kept}.`;
}
