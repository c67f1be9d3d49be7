import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkArchitecture, type Source } from './architecture.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('the layers of src', () => {
  it('import one way only, keep each vendor in its place, and have no long files', () => {
    assert.deepEqual(checkArchitecture(sourcesUnder('src')), []);
  });
});

describe('the check of the layers', () => {
  it('lets a layer import what its row allows', () => {
    const sources = files({
      'src/domain/tree.ts': `import { z } from 'zod';`,
      'src/prompts/draft.ts': `import type { Tree } from '../domain/tree.ts';`,
      'src/activities/begin.ts': `import { Tree } from '../domain/tree.ts';\nimport { draft } from '../prompts/draft.ts';`,
      'src/activities/index.ts': `export { begin } from './begin.ts';`,
      'src/worker.ts': `import { Worker } from '@temporalio/worker';\nimport * as activities from './activities/index.ts';`,
    });
    assert.deepEqual(checkArchitecture(sources), []);
  });

  const FAULTS: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'a vendor in a workflow',
      { 'src/workflows/bad.ts': `import { execa } from 'execa';` },
      /^src\/workflows\/bad\.ts imports execa; workflows may import only /,
    ],
    [
      'an import against the layers',
      {
        'src/domain/tree.ts': `import { store } from '../store/store.ts';`,
        'src/store/store.ts': '',
      },
      /^src\/domain\/tree\.ts imports src\/store\/store\.ts; domain may import only /,
    ],
    [
      'a type that crosses the layers',
      { 'src/prompts/a.ts': `import type { Store } from '../store/store.ts';` },
      /^src\/prompts\/a\.ts imports src\/store\/store\.ts/,
    ],
    [
      'siblings of the shell that see each other',
      { 'src/papers/read.ts': `import { run } from '../processes/run-command.ts';` },
      /^src\/papers\/read\.ts imports src\/processes\/run-command\.ts/,
    ],
    [
      'an import that is only made when it runs',
      { 'src/domain/tree.ts': `const fs = await import('node:fs');` },
      /^src\/domain\/tree\.ts imports node:fs/,
    ],
    [
      'a re-export against the layers',
      { 'src/domain/tree.ts': `export { draft } from '../prompts/draft.ts';` },
      /^src\/domain\/tree\.ts imports src\/prompts\/draft\.ts/,
    ],
    [
      'an import over several lines',
      { 'src/domain/tree.ts': `import {\n  readFile,\n  writeFile,\n} from 'node:fs/promises';` },
      /^src\/domain\/tree\.ts imports node:fs\/promises/,
    ],
    [
      'an import for its effect',
      { 'src/prompts/a.ts': `import 'dotenv/config';` },
      /^src\/prompts\/a\.ts imports dotenv\/config/,
    ],
    [
      'a value of an activity in a workflow',
      { 'src/workflows/reproduce.ts': `import { begin } from '../activities/index.ts';` },
      /^src\/workflows\/reproduce\.ts imports src\/activities\/index\.ts as a value/,
    ],
    [
      'Temporal in the loop',
      { 'src/workflows/loop.ts': `import { sleep } from '@temporalio/workflow';` },
      /^src\/workflows\/loop\.ts imports @temporalio\/workflow; /,
    ],
    [
      'zod within reach of a workflow',
      {
        'src/workflows/index.ts': `export { reproduce } from './reproduce.ts';`,
        'src/workflows/reproduce.ts': `import { Tree } from '../domain/tree.ts';`,
        'src/domain/tree.ts': `import { z } from 'zod';`,
      },
      /^src\/workflows\/index\.ts reaches zod: src\/workflows\/index\.ts → src\/workflows\/reproduce\.ts → src\/domain\/tree\.ts → zod/,
    ],
    [
      'a vendor outside its place',
      { 'src/activities/ask.ts': `import OpenAI from 'openai';` },
      /^src\/activities\/ask\.ts imports openai; /,
    ],
    [
      'a folder without a row',
      { 'src/helpers/a.ts': '' },
      /^src\/helpers\/a\.ts is in a folder without a row/,
    ],
    [
      'a root that nobody listed',
      { 'src/main.ts': '' },
      /^src\/main\.ts is in a folder without a row/,
    ],
    [
      'a barrel',
      { 'src/domain/index.ts': `export * from './tree.ts';` },
      /^src\/domain\/index\.ts is a barrel/,
    ],
    [
      'a barrel by another name',
      { 'src/domain/all.ts': `export { a } from './a.ts';\nexport { b } from './b.ts';` },
      /^src\/domain\/all\.ts is a barrel/,
    ],
    [
      'a file of 401 lines',
      { 'src/domain/long.ts': 'const a = 1;\n'.repeat(401) },
      /^src\/domain\/long\.ts has 401 lines; /,
    ],
    [
      'a file of 251 lines that gives no reason',
      { 'src/domain/long.ts': 'const a = 1;\n'.repeat(251) },
      /^src\/domain\/long\.ts has 251 lines; /,
    ],
    [
      'a file named helpers',
      { 'src/domain/helpers.ts': '' },
      /^src\/domain\/helpers\.ts has no noun/,
    ],
  ];
  for (const [title, sources, message] of FAULTS) {
    it(`finds ${title}`, () => {
      const faults = checkArchitecture(files(sources));
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', message);
    });
  }

  it('takes no import from a comment or a string', () => {
    const text = `// import { a } from 'execa';\n/* import 'openai'; */\nconst b = "import x from 'execa'";`;
    assert.deepEqual(checkArchitecture(files({ 'src/domain/a.ts': text })), []);
  });
});

function files(texts: Readonly<Record<string, string>>): Source[] {
  return Object.entries(texts).map(([path, text]) => ({ path, text }));
}

function sourcesUnder(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}
