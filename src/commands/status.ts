import type { Command } from 'commander';
import { readBlueprintText } from '../runs/read-blueprint.ts';
import { readStatus } from '../runs/read-status.ts';
import { paintOf } from './follow-views.ts';
import { frameOf } from './frame.ts';
import type { Ports } from './ports.ts';
import { showFolder } from './watch.ts';

/** Adds `status`: where one run stands. */
export function addStatus(program: Command, ports: Ports): void {
  program
    .command('status')
    .summary('show where a run stands')
    .description(
      'Shows where a run stands and what it waits for, and brings its --out folder up to date. Reads the run folder first; starts nothing.',
    )
    .argument('<name>', "the run's name")
    .option('--blueprint', 'print the blueprint instead, as YAML (as JSON with --json)')
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro status my-paper')
    .action(async (name: string, options: { blueprint?: true; json?: true }) => {
      const { terminal } = ports;
      const runs = ports.runs();
      if (options.blueprint) {
        terminal.out(await readBlueprintText(runs, name, options.json ? 'json' : 'yaml'));
        return;
      }
      const status = await readStatus(runs, name);
      if (options.json) {
        terminal.out(JSON.stringify(status));
        return;
      }
      const events = await runs.folders.events(name);
      const picture = {
        ...{ status, events, trouble: '' },
        nowMs: Date.now(),
        columns: terminal.isLive ? terminal.columns() : 160,
        rows: 40,
      };
      for (const line of frameOf(picture, paintOf(terminal.hasColors))) terminal.out(line);
      await showFolder(ports, status);
    });
}
