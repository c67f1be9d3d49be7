import type { BlueprintFile } from './blueprint.ts';
import type { Experiment } from './experiment.ts';

const NOTHING = { needs: [], owns: [], signatures: '' };

/** The planned files that a command starts: named by path (`python run_toy.py`) or as a module (`python -m pkg.toy`). */
export function runnersOf(
  files: readonly BlueprintFile[],
  experiments: readonly Pick<Experiment, 'command'>[],
): string[] {
  return files
    .filter(({ path }) => experiments.some(({ command }) => isNamedIn(path, command)))
    .map(({ path }) => path);
}

/** Whether a command names a file, by its path or as a Python module. */
export function isNamedIn(path: string, command: string): boolean {
  const module = path.replace(/(?:\/__main__)?\.py$/, '').replaceAll('/', '.');
  return command
    .split(/[\s'"=]+/)
    .map((word) => word.replace(/^\.\//, ''))
    .some((word) => word === path || (path.endsWith('.py') && word === module));
}

/** The files, and those that every repository has: settings, `requirements.txt`, `reproduce.sh`, `README.md`. */
export function addEssentialFiles(
  files: readonly BlueprintFile[],
  experiments: readonly Experiment[],
  note: (sentence: string) => void,
): BlueprintFile[] {
  const has = (test: (path: string) => boolean): boolean => files.some(({ path }) => test(path));
  const runners = runnersOf(files, experiments);
  const first: BlueprintFile[] = [];
  const last: BlueprintFile[] = [];
  if (!has((path) => path === 'requirements.txt')) first.push(REQUIREMENTS);
  if (!has(isSettings)) first.push(SETTINGS);
  if (!has((path) => path === 'reproduce.sh')) last.push({ ...REPRODUCE, needs: runners });
  if (!has((path) => path.toLowerCase() === 'readme.md')) last.push({ ...README, needs: runners });
  for (const { path } of [...first, ...last]) note(`${path}: was not planned; added.`);
  return [...first, ...files, ...last];
}

/** YAML that holds settings, not a workflow of a code host, a test fixture or a package list. */
function isSettings(path: string): boolean {
  return (
    /\.ya?ml$/i.test(path) &&
    !/(^|\/)(\.[^/]+|tests?|fixtures)\/|(^|\/)environment\.ya?ml$/.test(path)
  );
}

const REQUIREMENTS: BlueprintFile = {
  ...NOTHING,
  path: 'requirements.txt',
  purpose: 'Pinned third-party packages of the planned environment',
  instructions:
    'Exactly the packages of the planned environment, one a line, each with its planned version. ' +
    'State the Python version in a comment.',
  expectedLines: 15,
};

const SETTINGS: BlueprintFile = {
  ...NOTHING,
  path: 'configs/default.yaml',
  purpose:
    'Every value that the paper fixes, under its planned key, and a smoke section with tiny sizes',
  instructions:
    'Hold every planned configuration value under exactly its dotted key, nested by the dots. Behind each value a ' +
    'comment names its requirement, or says "inferred" and why. A section `smoke` overrides sizes only.',
  expectedLines: 80,
};

const REPRODUCE: BlueprintFile = {
  ...NOTHING,
  path: 'reproduce.sh',
  purpose: 'Runs every cell of every experiment; with --smoke a tiny version of each',
  instructions:
    'Begin with `#!/usr/bin/env bash` and `set -euo pipefail`, and go to the folder of the script. Install the requirements, fetch data with the planned scripts, then run each experiment, every ' +
    'cell of its matrix in a loop over its axes, by its planned command. `--smoke` is handed on to each command. ' +
    'A failed command fails the script, with its name.',
  expectedLines: 60,
};

const README: BlueprintFile = {
  ...NOTHING,
  path: 'README.md',
  purpose: 'How to install and run, and which code meets which part of the paper',
  instructions:
    'What is reproduced; the one way to install it; how to get data; one command for each experiment and for the smoke run; a table from ' +
    "each section, equation, algorithm, table and figure of the paper to file and function; the repository's files; values " +
    'that were inferred and contradictions in the paper, with the choice made; what was not reproduced and why.',
  expectedLines: 150,
};
