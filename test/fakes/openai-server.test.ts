import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { startOpenAiServer } from './openai-server.ts';

const post = (baseUrl: string, content: string, signal?: AbortSignal) =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
    ...(signal && { signal }),
  });

describe('the scripted OpenAI-compatible server', () => {
  it('answers by the words of a request, and remembers each with order, sum and ending', async () => {
    const server = await startOpenAiServer({
      answer: ({ prompt, count, index }) => ({
        kind: 'reply',
        text: `${prompt} ${count} ${index}`,
      }),
    });
    const answers = [];
    for (const content of ['one', 'two', 'one'])
      answers.push(await (await post(server.baseUrl, content)).text());
    assert.match(answers[2] ?? '', /one 2 3/);
    const [first, , third] = server.requests;
    assert.equal(server.where('"one"').length, 2);
    assert.equal(server.where(({ ending }) => ending === 'answered').length, 3);
    assert.equal(first?.sha256, third?.sha256);
    assert.equal(
      first?.sha256,
      createHash('sha256')
        .update(first?.body ?? '')
        .digest('hex'),
    );
    await server.close();
  });

  it('notes a client that leaves, and closes with a request open', async () => {
    const server = await startOpenAiServer({ answer: () => ({ kind: 'stall' }) });
    const leaving = new AbortController();
    const left = post(server.baseUrl, 'leave', leaving.signal).catch(() => undefined);
    const open = post(server.baseUrl, 'stay').catch(() => undefined);
    while (server.requests.length < 2) await new Promise(setImmediate);
    leaving.abort();
    while (server.where('leave')[0]?.ending === 'open') await new Promise(setImmediate);
    assert.equal(server.where('leave')[0]?.ending, 'client-left');
    assert.equal(server.where('stay')[0]?.ending, 'open');
    await server.close();
    await Promise.all([left, open]);
  });

  it('survives a thousand requests, some of them broken off', async () => {
    const server = await startOpenAiServer({
      keepBodies: false,
      answer: ({ index }) => (index % 50 === 0 ? { kind: 'drop' } : { kind: 'reply', text: 'ok' }),
    });
    const ask = async () => {
      for (let turn = 0; turn < 50; turn += 1)
        await post(server.baseUrl, 'x').then(
          (response) => response.text(),
          () => undefined,
        );
    };
    await Promise.all(Array.from({ length: 20 }, ask));
    assert.equal(server.requests.length, 1_000);
    assert.equal(server.where(({ ending }) => ending === 'broken-off').length, 20);
    assert.equal(server.where(({ ending }) => ending === 'answered').length, 980);
    await server.close();
  });

  it('shows a scenario that throws as a refused request', async () => {
    const server = await startOpenAiServer({
      answer: () => {
        throw new Error('unexpected prompt');
      },
    });
    const shown = console.error;
    console.error = () => undefined;
    const response = await post(server.baseUrl, 'x');
    console.error = shown;
    assert.equal(response.status, 400);
    assert.match(await response.text(), /unexpected prompt/);
    await server.close();
  });

  it('runs as a process of its own that logs each request', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'openai-server-'));
    const scenario = path.join(folder, 'scenario.mjs');
    const log = path.join(folder, 'requests.jsonl');
    await writeFile(
      scenario,
      `export const answer = ({ prompt }) => ({ kind: 'reply', text: 'to ' + prompt });`,
    );
    const main = path.join(import.meta.dirname, 'openai-server-main.ts');
    const child = spawn(
      process.execPath,
      ['--import=tsx', main, '--scenario', scenario, '--log', log],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const exited = once(child, 'exit');
    let baseUrl = '';
    for await (const line of createInterface({ input: child.stdout })) {
      baseUrl = line;
      break;
    }
    assert.match(await (await post(baseUrl, 'you')).text(), /to you/);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    assert.match(lines[0] ?? '', /"index":1,.*"ending":"open"/);
    assert.match(lines[1] ?? '', /"ending":"answered"/);
    await rm(folder, { recursive: true });
  });
});
