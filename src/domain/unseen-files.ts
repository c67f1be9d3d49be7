import type { Blueprint } from './blueprint.ts';

/** Whoever reads repositories by machine passes over paths that hold one of these, also as part of a name. */
const SKIPPED = [...['venv', '.env', 'wandb', '.git', '.egg-info', '__pycache__', 'node_modules']];
/** Read as text by people and tools; a name without an ending, or a notebook, is passed over. */
const READ = /\.(?!ipynb$)\w+$/;
/** Expected to have the names that they have. */
const EXEMPT = /(^|\/)(LICENSE|\.gitignore|\.gitkeep|\.dockerignore|Dockerfile)$/;

/** A sentence for each planned file that reviewers would never see, and what to do about it. */
export function unseenFiles({ files }: Pick<Blueprint, 'files'>): string[] {
  return files.flatMap(({ path }) => {
    if (EXEMPT.test(path)) return [];
    const part = SKIPPED.find((each) => path.toLowerCase().includes(each));
    if (part !== undefined)
      return [`${path}: reviewers skip every path that holds "${part}"; name it otherwise.`];
    if (READ.test(path)) return [];
    const kind = path.endsWith('.ipynb') ? 'notebooks' : 'files without an ending';
    return [`${path}: reviewers skip ${kind}; plan a script or a text file instead.`];
  });
}
