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
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { addEstimate } from './estimate.ts';
import { addFork } from './fork.ts';
import { addPrune } from './prune.ts';
import { addRemove } from './remove.ts';
import { addRetry } from './retry.ts';
import { addRound } from './round.ts';
import { addRounds } from './rounds.ts';
import { addSet } from './set.ts';
import { addTranscript } from './transcript.ts';
import { addStatus } from './status.ts';
import { addStop } from './stop.ts';
import { addUp } from './up.ts';
import { addWatch } from './watch.ts';
import { addWorker } from './worker.ts';

interface GlobalOptions {
  readonly quiet?: true;
  readonly verbose?: true;
  readonly notify?: true;
}

const OVERVIEW = `
Example:
  $ deeprepro run paper.md --model gpt-5-mini --out ./reproduction

Exit codes: 0 complete, 3 complete with gaps, 4 out of budget, stalled, stopped or waiting,
1 failed, 2 wrong use, 130 cancelled.
Variables: DEEPREPRO_HOME (data folder), DEEPREPRO_MODEL, OPENAI_API_KEY, OPENAI_BASE_URL,
TEMPORAL_ADDRESS (a server elsewhere); also read from .env in the working folder.`;

/** In the order in which help lists them, under its headings. */
const GROUPS: readonly (readonly [
  string,
  readonly ((program: Command, ports: Ports) => void)[],
])[] = [
  ['Start:', [addRun, addDemo, addEstimate, addFork]],
  ['Look:', [addList, addStatus, addWatch, addBatch, addRounds, addRound, addTranscript]],
  ['Steer:', [addResume, addRetry, addPause, addStop, addCancel, addApprove, addBudget, addSet]],
  ['Result:', [addExport, addDiff, addReport, addRemove, addPrune]],
  ['This machine:', [addUp, addDown, addWorker, addDoctor, addCompletion]],
];

/** Whoever has a newer version running must be able to end it, and to ask what is wrong. */
const WITHOUT_DATA = ['down', 'doctor', 'completion'];

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
  program
    .option('--quiet', 'say only results, waits and errors')
    .option('--verbose', 'say also what each step is tried again for, and what each fact is about')
    .option('--notify', 'a desktop notification when a run ends or waits (or DEEPREPRO_NOTIFY=1)')
    .configureHelp({ showGlobalOptions: true });
  program.hook('preAction', async (_, command) => {
    const { quiet, verbose, notify } = program.opts<GlobalOptions>();
    if (quiet || verbose) ports.setManner({ verbosity: quiet ? 'quiet' : 'verbose' });
    if (notify) ports.setManner({ notifies: true });
    if (!WITHOUT_DATA.includes(command.name())) await ports.checkData();
  });
  for (const [heading, adders] of GROUPS) {
    program.commandsGroup(heading);
    for (const add of adders) add(program, ports);
  }
  return program;
}
