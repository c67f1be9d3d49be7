import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { DEFAULT_MODE, type Mode } from '../domain/run-settings.ts';
import type { Ports } from './ports.ts';
import { addModeOption } from './option-values.ts';
import { run } from './run.ts';
import { freeName } from '../runs/run-name.ts';

/** Adds `demo`: a run on a short paper with recorded replies; needs no key and costs nothing. */
export function addDemo(program: Command, ports: Ports): void {
  const demo = program
    .command('demo')
    .summary('see it work, without a key')
    .description(
      'Reproduces a short paper from recorded model replies: the whole engine, no key, no cost.',
    );
  addModeOption(demo, DEFAULT_MODE);
  demo
    .option('--json', 'one JSON object a line')
    .addHelpText('after', '\nExample:\n  $ deeprepro demo --mode fast')
    .action(async ({ mode = DEFAULT_MODE, json }: { mode?: Mode; json?: true }) => {
      const { paper, replies } = ports.demo;
      ports.setExitCode(
        await run(ports, paper, {
          replay: replies[mode],
          mode,
          name: await freeName(ports.runs().folders, 'demo'),
          out: join(await mkdtemp(join(tmpdir(), 'deeprepro-demo-')), 'repository'),
          onBudget: 'wait',
          parallel: 8,
          maxOutputTokens: 32_000,
          wait: false,
          ...(json ? { json } : {}),
        }),
      );
    });
}
