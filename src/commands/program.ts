import { Command } from 'commander';
import { addApprove } from './approve.ts';
import { addBatch } from './batch.ts';
import { addBudget } from './budget.ts';
import { addCancel } from './cancel.ts';
import { addDemo } from './demo.ts';
import { addDiff } from './diff.ts';
import { addDown } from './down.ts';
import { addExport } from './export.ts';
import { addList } from './list.ts';
import { addPause } from './pause.ts';
import type { Ports } from './ports.ts';
import { addReport } from './report.ts';
import { addResume } from './resume.ts';
import { addRun } from './run.ts';
import { addStatus } from './status.ts';
import { addStop } from './stop.ts';
import { addUp } from './up.ts';
import { addWatch } from './watch.ts';
import { addWorker } from './worker.ts';

const OVERVIEW = `
Example:
  $ deeprepro run paper.md --model gpt-5-mini --out ./reproduction

Exit codes: 0 complete, 3 complete with gaps, 4 out of budget, stalled, stopped or waiting,
1 failed, 2 wrong use, 130 cancelled.
Variables: DEEPREPRO_HOME (data folder), DEEPREPRO_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL,
TEMPORAL_ADDRESS (a server elsewhere); also read from .env in the working folder.`;

/** In the order in which help lists them. */
const ADDERS = [
  addRun,
  addDemo,
  addList,
  addStatus,
  addWatch,
  addResume,
  addPause,
  addStop,
  addCancel,
  addApprove,
  addBudget,
  addBatch,
  addExport,
  addDiff,
  addReport,
  addUp,
  addDown,
  addWorker,
];

/** The whole command line. Wrong use throws `CommanderError`, which `sentenceOf` puts in words. */
export function buildProgram(ports: Ports): Command {
  const program = new Command('deeprepro')
    .description(
      'Turns a machine-learning paper into a repository that reproduces it, and loses no work on the way.',
    )
    .version(ports.version, '--version')
    .helpCommand(false)
    .addHelpText('after', OVERVIEW)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ports.terminal.out(text.trimEnd()),
      // The root says it in its own words.
      writeErr: () => undefined,
    });
  // Whoever has a newer version running must be able to end it.
  program.hook('preAction', async (_, command) => {
    if (command.name() !== 'down') await ports.checkData();
  });
  for (const add of ADDERS) add(program, ports);
  return program;
}
