import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Ports } from './ports.ts';
import { run } from './run.ts';
import { freeName } from '../runs/run-name.ts';

/** Adds `demo`: a run on a short paper with recorded replies; needs no key and costs nothing. */
export function addDemo(program: Command, ports: Ports): void {
  program
    .command('demo')
    .summary('see it work, without a key')
    .description(
      'Reproduces a short paper from recorded model replies: the whole engine, no key, no cost.',
    )
    .option('--json', 'one JSON object a line')
    .addHelpText('after', '\nExample:\n  $ deeprepro demo')
    .action(async ({ json }: { json?: true }) => {
      const { paper, replies } = ports.demo;
      ports.setExitCode(
        await run(ports, paper, {
          replay: replies,
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
