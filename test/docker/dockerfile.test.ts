import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n');
const ignore = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');

describe('Dockerfile', () => {
  const copied = lines.flatMap((line) => {
    const words = line.split(/\s+/);
    return words[0] === 'COPY' && !line.includes('--from=') ? words.slice(1, -1) : [];
  });

  it('copies files that exist and are not left out', () => {
    assert.ok(copied.length > 5);
    for (const path of copied) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.ok(!isIgnored(path), path);
    }
  });

  it('does not see packages, keys, history or what was built here', () => {
    const secret = ['.env', 'demo/.env', '.git/config', '.git', 'node_modules/zod/package.json'];
    const needless = ['src/node_modules/x.js', 'dist/client.js', 'test/root-hooks.ts', 'README.md'];
    for (const path of [...secret, ...needless]) assert.ok(isIgnored(path), path);
  });

  it('runs as a user without rights, with git and the sandbox, and checks its health', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')));
    assert.ok(last.includes('USER node'));
    assert.match(last.find((line) => line.startsWith('RUN')) ?? '', /\bbubblewrap\b.*\bgit\b/);
    assert.match(last.find((line) => line.startsWith('HEALTHCHECK')) ?? '', /\/healthz/);
    assert.ok(existsSync(join(ROOT, 'src/client.ts')) && last.includes('CMD ["worker"]'));
  });

  it('is made for glibc', () => {
    assert.match(lines.join('\n'), /^ARG NODE=node:\d+-bookworm-slim$/m);
  });
});

/** The last line that covers a path, or a folder it is in, decides. */
function isIgnored(path: string): boolean {
  let ignored = false;
  for (const line of ignore.filter((each) => each !== '' && !each.startsWith('#'))) {
    const pattern = line.replace(/^!/, '');
    const parts = path.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    if (prefixes.some((prefix) => isCovered(prefix, pattern))) ignored = !line.startsWith('!');
  }
  return ignored;
}

/** As far as our file goes: `*`, a path, or a name anywhere. */
function isCovered(path: string, pattern: string): boolean {
  if (pattern === '*') return !path.includes('/');
  return pattern.startsWith('**/') ? path.split('/').at(-1) === pattern.slice(3) : path === pattern;
}
