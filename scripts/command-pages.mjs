// Writes docs/commands from the built program's own help. Run it after `npm run build` whenever a command changes.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PAGES_FOLDER, pagesOf } from '../dist/commands/command-pages.js';
import { buildProgram } from '../dist/commands/program.js';

const folder = fileURLToPath(new URL(`../${PAGES_FOLDER}/`, import.meta.url));
const program = buildProgram({ version: '', terminal: {} });
const pages = pagesOf(program);
await mkdir(folder, { recursive: true });
for (const name of await readdir(folder)) {
  if (!pages.has(name)) await rm(`${folder}${name}`);
}
for (const [name, text] of pages) await writeFile(`${folder}${name}`, text);
