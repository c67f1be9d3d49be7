import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ChatMessage } from '../../src/domain/message.ts';

const FOLDER = new URL('../golden/prompts/', import.meta.url);

/** Compares messages with their golden file; `UPDATE_GOLDEN=1` writes it instead. */
export function assertGolden(name: string, messages: readonly ChatMessage[]): void {
  const actual = messages.map(({ role, content }) => `=== ${role}\n${content}\n`).join('\n');
  const path = fileURLToPath(new URL(`${name}.txt`, FOLDER));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, actual);
    return;
  }
  assert.equal(
    actual,
    readFileSync(path, 'utf8'),
    `The prompt differs from test/golden/prompts/${name}.txt; look at it, then run with UPDATE_GOLDEN=1.`,
  );
}
