// An export that kills itself half way: crash-export.ts HOME RUN FOLDER FILES — after so many files were written.
import { z } from 'zod';
import type { RunPorts } from '../../src/runs/ports.ts';
import { exportRun } from '../../src/runs/export-run.ts';
import { foldersOf } from '../../src/settings.ts';
import { runGit } from '../../src/processes/git.ts';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';

const words = z.tuple([z.string(), z.string(), z.string(), z.coerce.number()]);
const [home, run, folder, files] = words.parse(process.argv.slice(2));
const folders = foldersOf(home);
const store = createFolderStore(folders.store);
/** The first values are the state and its blueprint. */
let left = files + 2;
const noEngine = () => Promise.reject(new Error('An export needs no engine.'));
const ports: RunPorts = {
  store: {
    ...store,
    async get(ref) {
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      left -= 1;
      return store.get(ref);
    },
  },
  journal: createFolderJournal(folders.journal),
  folders: createRunFolders(folders.runs),
  engine: noEngine,
  git: runGit,
  checkPaper: () => Promise.resolve({ characters: 0 }),
  engineIfUp: noEngine,
};
await exportRun(ports, run, folder);
