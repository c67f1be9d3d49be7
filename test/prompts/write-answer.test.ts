import assert from 'node:assert/strict';
import { readWrite } from '../../src/prompts/write-answer.ts';

const PATH = 'src/model.py';

function reply(content: string, { path = PATH, fence = '````', end = '@done' } = {}): string {
  return `@write ${path}\n${fence}python\n${content}\n${fence}\n@met\nR1: Net.forward\n@doubts\n- none\n${end}`;
}

function problemsOf(text: string, path = PATH): string {
  const reading = readWrite(text, path);
  assert.equal(reading.kind, 'problems', JSON.stringify(reading).slice(0, 300));
  return reading.problems.join('\n');
}

function contentOf(text: string, path = PATH): string {
  const reading = readWrite(text, path);
  if (reading.kind === 'problems') assert.fail(reading.problems.join('\n'));
  return reading.answer.content;
}

describe('readWrite', () => {
  it('reads the file, what it meets and its doubts', () => {
    assert.deepEqual(readWrite(`Sure!\n${reply('x = 1\n\n')}\nBye.`, PATH), {
      kind: 'answer',
      answer: { content: 'x = 1\n', met: 'R1: Net.forward', doubts: '', shrinks: '' },
    });
  });

  it('keeps shorter fences inside the file', () => {
    const readme = '# Use\n\n```bash\npython run.py\n```\n\nAnd:\n\n```\nx\n```';
    assert.equal(contentOf(reply(readme, { path: 'README.md' }), 'README.md'), `${readme}\n`);
  });

  it('keeps lines of the protocol inside the file', () => {
    const content = 'TEXT = """\n@done\n@write other.py\n```\n"""';
    assert.equal(contentOf(reply(content)), `${content}\n`);
  });

  it('refuses a block that a fence of its own closed too early', () => {
    const readme = '# Use\n\n```bash\npython run.py\n```\n\nMore words.';
    assert.match(
      problemsOf(reply(readme, { path: 'README.md', fence: '```' }), 'README.md'),
      /closed its block too early/,
    );
  });

  it('takes every cut for a problem, wherever it falls', () => {
    const whole = reply('# Use\n```\nx = 1\n```\ny = 2', { fence: '`````' });
    for (let length = 0; length < whole.length; length += 1)
      assert.equal(readWrite(whole.slice(0, length), PATH).kind, 'problems', `cut at ${length}`);
    assert.equal(readWrite(whole, PATH).kind, 'answer');
  });

  it('takes every cut of a three-backtick answer for a problem, too', () => {
    const whole = reply('"""\n```\nx = 1\n```\n"""', { fence: '```' });
    for (let length = 0; length <= whole.length; length += 1)
      assert.equal(readWrite(whole.slice(0, length), PATH).kind, 'problems', `cut at ${length}`);
  });

  it('refuses no block, another path, two blocks, an empty one, prose and elisions', () => {
    assert.match(problemsOf('Here is the file.\n@done'), /no line "@write src\/model\.py"/);
    assert.match(problemsOf(`@write ${PATH}\nx = 1\n@done`), /must be a fence/);
    assert.match(
      problemsOf(reply('x = 1', { path: 'src/other.py' })),
      /only src\/model\.py is yours/,
    );
    assert.match(
      problemsOf(`${reply('x = 1', { end: '' })}${reply('y = 2')}`),
      /more than one block/,
    );
    assert.match(problemsOf(reply(' ')), /is empty/);
    assert.match(problemsOf(reply('This file holds the model.\nIt has two layers')), /prose/);
    assert.match(
      problemsOf(reply('import torch\n# ... rest of the code unchanged')),
      /was left out/,
    );
  });

  it('takes an empty package file', () => {
    assert.equal(contentOf(reply('', { path: 'src/__init__.py' }), 'src/__init__.py'), '\n');
  });

  it('takes a path in marks, blank lines before the fence and lines ended by CR LF', () => {
    const text = reply('x = 1', { path: `\`./${PATH}\`` }).replace('\n````', '\n\n````');
    assert.equal(contentOf(text.replaceAll('\n', '\r\n')), 'x = 1\n');
  });

  it('reads hostile text in time that grows with its length alone', () => {
    const pieces = [
      '`',
      ' ',
      '*',
      '@write x\n',
      '````\n',
      'a ',
      '@write ',
      '# ... rest ',
      '\n',
      '"',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      const started = performance.now();
      readWrite(text, PATH);
      readWrite(`@write ${text}x`, PATH);
      readWrite(reply(text), PATH);
      assert.ok(performance.now() - started < 8000, JSON.stringify(piece));
    }
  });
});
