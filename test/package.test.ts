import assert from 'node:assert/strict';
import { npmPack } from './fakes/npm-pack.ts';

const NEEDED = [
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md'],
  ...['dist/client.js', 'dist/worker.js', 'dist/workflow-bundle.js'],
  ...['dist/local/supervisor-main.js', 'dist/papers/pdf-main.js', 'docs/commands/run.md'],
];
const ALLOWED =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.+\.js|(?:demo|docs)\/.+)$/;

describe('the package', () => {
  it('holds the compiled program, the demo and the documents, and nothing else', async () => {
    const { paths } = await npmPack(['--dry-run']);
    assert.deepEqual(
      NEEDED.filter((path) => !paths.includes(path)),
      [],
    );
    assert.ok(paths.some((path) => path.startsWith('demo/replies/')));
    assert.deepEqual(
      paths.filter((path) => !ALLOWED.test(path)),
      [],
    );
  });
});
