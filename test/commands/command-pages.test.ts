import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PAGES_FOLDER, pagesOf } from '../../src/commands/command-pages.ts';
import { buildProgram } from '../../src/commands/program.ts';
import { createPorts } from '../../src/client-ports.ts';

const FOLDER = fileURLToPath(new URL(`../../${PAGES_FOLDER}/`, import.meta.url));

describe('the pages of the commands', () => {
  const pages = pagesOf(buildProgram(createPorts()));

  it('are those of the commands that there are', async () => {
    assert.deepEqual((await readdir(FOLDER)).sort(), [...pages.keys()].sort());
  });

  for (const [name, text] of pages)
    it(`say what the program says: ${name}`, async () => {
      const written = await readFile(`${FOLDER}${name}`, 'utf8').catch(() => '');
      assert.equal(
        written,
        text,
        'Run `npm run build` and `node scripts/command-pages.mjs` to bring the pages up to date.',
      );
    });
});
