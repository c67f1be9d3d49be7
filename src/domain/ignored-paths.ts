import type { Blueprint } from './blueprint.ts';

/** What running Python leaves, wherever it is run. */
const ALWAYS = ['__pycache__/', '*.py[cod]', '.venv/', 'venv/', '.ipynb_checkpoints/', '*.log'];
/** Where code usually puts what it makes or fetches. */
const USUAL = ['data', 'results', 'outputs', 'runs', 'checkpoints'];

/**
 * A `.gitignore` for what the planned code makes and downloads: the folders that its measures are written to and the
 * usual ones, but none that holds a planned file.
 */
export function ignoreFile({
  files,
  experiments,
}: Pick<Blueprint, 'files' | 'experiments'>): string {
  const made = experiments.flatMap(({ measures }) => measures.map(({ file }) => topFolder(file)));
  const planned = new Set(files.map(({ path }) => topFolder(path)));
  const folders = [...new Set([...USUAL, ...made])]
    .filter((folder) => folder !== '' && !planned.has(folder))
    .sort();
  const lines = folders.flatMap((folder) => [`/${folder}/`, ...besides(folder, planned)]);
  return `${['# What runs make and download', ...lines, ...ALWAYS].join('\n')}\n`;
}

/** A smoke run's results lie in `results-smoke`, beside the real ones. */
function besides(folder: string, planned: ReadonlySet<string>): string[] {
  const isOther = (path: string): boolean => /^[-_]/.test(path.slice(folder.length));
  const isPlanned = [...planned].some((path) => path.startsWith(folder) && isOther(path));
  return folder === 'results' && !isPlanned ? [`/${folder}[-_]*/`] : [];
}

/** The first folder of a path as a plain name, or empty. */
function topFolder(path: string): string {
  return /^(?:\.\/)?([\w-][\w.-]*)\//.exec(path)?.[1] ?? '';
}
