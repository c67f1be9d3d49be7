import type { Command } from 'commander';
import { pruneStore, type Pruned } from '../runs/prune-store.ts';
import type { Ports } from './ports.ts';

/** Adds `prune`: gives back the space of what no run needs. */
export function addPrune(program: Command, ports: Ports): void {
  program
    .command('prune')
    .summary('give back the space of what no run needs')
    .description(
      'Removes from the data folder what no run leads to and nobody has used for a day. Safe while runs are under way: what they may know of is kept.',
    )
    .option('--dry-run', 'only say what would be removed')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro prune --dry-run')
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }) => {
      const isDry = dryRun === true;
      const pruned = await pruneStore(ports.keeping(), { isDry, nowMs: Date.now() });
      if (json) ports.terminal.out(JSON.stringify({ dryRun: isDry, ...pruned }));
      else for (const line of describe(pruned, isDry)) ports.terminal.out(line);
    });
}

function describe(pruned: Pruned, isDry: boolean): string[] {
  const { removed, removedBytes, kept, keptBytes, tooYoung, journals, openRuns } = pruned;
  const lines = [
    `${isDry ? 'Would remove' : 'Removed'} ${removed} values (${sizeOf(removedBytes)}); ${kept} (${sizeOf(keptBytes)}) ${isDry ? 'would stay' : 'stay'}.`,
  ];
  if (journals > 0)
    lines.push(`${isDry ? 'Also' : 'Also removed'}: the replies of ${journals} removed runs.`);
  if (tooYoung > 0)
    lines.push(`${tooYoung} values that no run leads to are too new to be removed.`);
  if (tooYoung > 0 && openRuns.length > 0)
    lines.push(`Kept for as long as a run has not ended: ${openRuns.join(', ')}.`);
  return lines;
}

function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KiB`;
  return bytes < 1024 ** 3
    ? `${(bytes / 1024 ** 2).toFixed(1)} MiB`
    : `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}
