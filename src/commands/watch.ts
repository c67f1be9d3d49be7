import type { Command } from 'commander';
import { describeEnd, describeKept, exportIfAsked } from './finish-run.ts';
import { describeWaits } from './describe-run.ts';
import { exitCodeFor, follow } from './follow.ts';
import type { Ports } from './ports.ts';
import type { Exported } from '../runs/export-run.ts';
import { readStatus } from '../runs/read-status.ts';
import type { StatusReport } from '../runs/status-report.ts';

/** Adds `watch`: follows a run that something else drives. */
export function addWatch(program: Command, ports: Ports): void {
  program
    .command('watch')
    .summary('follow a run')
    .description(
      'Follows a run until it ends and keeps its --out folder up to date; Ctrl-C leaves and changes nothing.',
    )
    .argument('<name>', "the run's name")
    .option('--no-wait', 'leave with exit code 4 when the run waits for you')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', '\nExample:\n  $ deeprepro watch my-paper')
    .action(async (name: string, options: { wait: boolean; json?: true }) => {
      ports.setExitCode(await watch(ports, name, options));
    });
}

async function watch(
  ports: Ports,
  name: string,
  options: { readonly wait: boolean; readonly json?: true },
): Promise<number> {
  const { terminal } = ports;
  const { state } = await readStatus(ports.runs(), name);
  // Only where the engine is up: watching starts nothing.
  const engine = state === 'ended' || state === 'idle' ? undefined : await ports.runs().engine();
  if (state === 'idle') return showOnce(ports, name, options.json === true);
  const json = options.json === true;
  const end = await follow(ports, name, engine, { json, noWait: !options.wait });
  const exported = end.status && (await bringFolder(ports, end.status));
  switch (end.kind) {
    case 'ended':
      if (!json) for (const line of describeEnd(end.status, exported)) terminal.out(line);
      return exitCodeFor(end.status);
    case 'waiting':
      for (const sentence of describeWaits(end.status)) terminal.err(sentence);
      return 4;
    case 'stranded':
      terminal.err(end.status.engine.message);
      return 4;
    case 'interrupted':
      return 130;
  }
}

async function showOnce(ports: Ports, name: string, json: boolean): Promise<number> {
  const status = await readStatus(ports.runs(), name);
  await showFolder(ports, status);
  if (json) ports.terminal.out(JSON.stringify({ type: 'status', status, trouble: '' }));
  else for (const line of describeEnd(status, undefined).slice(0, 2)) ports.terminal.out(line);
  ports.terminal.err(status.engine.message);
  return 4;
}

/**
 * Whoever looks at a run brings its folder up to date: while nobody follows it, nobody does. What keeps a file or the
 * folder from being written is told on stderr.
 */
export async function showFolder(ports: Ports, status: StatusReport): Promise<void> {
  const exported = await bringFolder(ports, status);
  if (!exported) return;
  for (const sentence of describeKept(status.name, exported.newlyKept))
    ports.terminal.err(sentence);
}

async function bringFolder(ports: Ports, status: StatusReport): Promise<Exported | undefined> {
  const { exported, problem } = await exportIfAsked(ports, status);
  if (problem !== '') ports.terminal.err(problem);
  return exported;
}
