import assert from 'node:assert/strict';
import { isOneWrite, readActions } from '../../src/prompts/turn-actions.ts';
import { randomFrom } from '../fakes/random.ts';
import { aReply } from '../fakes/scripted-model.ts';

const PATH = 'src/a.py';
const FENCE = '````';

function actionsIn(text: string, finish: 'stop' | 'length' = 'stop') {
  return readActions(aReply({ text, finish }), PATH).actions.map(({ asked }) =>
    asked.kind === 'use' ? asked.use : asked.problems.join(' '),
  );
}

function wrote(content: string): string {
  return `@write ${PATH}\n${FENCE}python\n${content}\n${FENCE}\n@met\nnone\n@doubts\nnone`;
}

describe('the actions of a reply', () => {
  it('are read in order, in whatever dress', () => {
    const text = [
      'I look first.',
      '@read `./src/b.py`',
      '@read src/c.py 20-40',
      '@search in:src/ def build_*',
      '@search def build',
      '@paper sec-3-1',
      '@paper alg-1 from 12',
      '@paper "entropy bonus"',
      '@check',
      '@done',
      '@read src/never.py',
    ].join('\n');
    assert.deepEqual(actionsIn(text), [
      { name: 'read_file', path: 'src/b.py' },
      { name: 'read_file', path: 'src/c.py', from: 20, to: 40 },
      { name: 'search_repository', words: 'def build_*', path: 'src/' },
      { name: 'search_repository', words: 'def build' },
      { name: 'read_paper', query: 'sec-3-1' },
      { name: 'read_paper', query: 'alg-1', from: 12 },
      { name: 'read_paper', query: 'entropy bonus' },
      { name: 'check_file' },
    ]);
    assert.deepEqual(actionsIn(`\`\`\`\n@check\n${wrote('x = 1')}\n@done\n\`\`\``), [
      { name: 'check_file' },
      { name: 'write_file', path: PATH, content: 'x = 1\n', shrinks: '' },
    ]);
  });

  it('are not looked for in the blocks of others', () => {
    assert.deepEqual(actionsIn(`${wrote('"""Forms:\n@check\n@done\n"""\nx = 1')}\n@check\n@done`), [
      {
        ...{ name: 'write_file', path: PATH, shrinks: '' },
        content: '"""Forms:\n@check\n@done\n"""\nx = 1\n',
      },
      { name: 'check_file' },
    ]);
  });

  it('hold edits in pairs of blocks', () => {
    const block = (text: string) => `${FENCE}\n${text}${FENCE}`;
    const pairs = ['x = 1\n', 'x = 2\n', 'y = 1\n', ''].map(block).join('\n');
    assert.deepEqual(actionsIn(`@edit ${PATH}\n${pairs}\n@shrinks It is dead.\n@done`), [
      {
        name: 'edit_file',
        path: PATH,
        edits: [
          { search: 'x = 1', replace: 'x = 2' },
          { search: 'y = 1', replace: '' },
        ],
        shrinks: 'It is dead.',
      },
    ]);
    assert.match(
      JSON.stringify(actionsIn(`@edit ${PATH}\n${block('x\n')}\n@done`)[0]),
      /There is 1 block/,
    );
    assert.match(JSON.stringify(actionsIn(`@edit ${PATH}\n${FENCE}\nx`)[0]), /never closed/);
  });

  it('end at a cut: what it may have fallen into is not done', () => {
    assert.deepEqual(actionsIn('@read src/b.py\n@read src/lo', 'length')[0], {
      name: 'read_file',
      path: 'src/b.py',
    });
    assert.match(JSON.stringify(actionsIn('@read src/b.py\n@read src/lo', 'length')[1]), /cut-off/);
    assert.match(
      JSON.stringify(
        actionsIn(`@edit ${PATH}\n${FENCE}\nx\n${FENCE}\n${FENCE}\ny\n${FENCE}\n`, 'length')[0],
      ),
      /cut-off/,
    );
    const { actions, arrived } = readActions(
      aReply({ text: `@check\n${wrote('x = 1\n'.repeat(40)).slice(0, 200)}`, finish: 'length' }),
      PATH,
    );
    assert.deepEqual([actions.length, arrived?.kind], [1, 'continuation']);
  });

  it('refuse a write that a fence inside it may have cut short, though more follows', () => {
    const text = `@write ${PATH}\n${FENCE}\nx = 1\n${FENCE}\ny = 2\n${FENCE}\n@check\n@done`;
    assert.match(JSON.stringify(actionsIn(text)[0]), /closed its block too early/);
  });

  it('are one write only where nothing else is asked for', () => {
    assert.ok(isOneWrite(aReply({ text: `${wrote('x = 1')}\n@done` }), PATH));
    assert.ok(!isOneWrite(aReply({ text: `${wrote('x = 1')}\n@check\n@done` }), PATH));
    const toolCalls = [{ id: 'c', name: 'check_file', arguments: '{}' }];
    assert.ok(!isOneWrite(aReply({ text: wrote('x = 1'), toolCalls }), PATH));
  });

  it('are read from any text without an error', () => {
    const random = randomFrom(20261130);
    const pieces = [
      ...[
        '@write src/a.py',
        '@write ../b',
        '@edit src/a.py',
        '@read',
        '@search',
        '@paper ',
        '@check',
      ],
      ...[
        '@done',
        FENCE,
        '```python',
        '`````',
        'x = 1',
        '',
        '@met',
        '@shrinks why',
        '\u0000',
        '@read a 0-0',
      ],
    ];
    for (let round = 0; round < 2_000; round += 1) {
      const lines = Array.from({ length: random.below(14) }, () => {
        return pieces[random.below(pieces.length)] ?? '';
      });
      const finish = random.chance(0.3) ? 'length' : 'stop';
      const { actions } = readActions(aReply({ text: lines.join('\n'), finish }), PATH);
      for (const { asked } of actions)
        if (asked.kind === 'use' && asked.use.name === 'write_file')
          assert.equal(asked.use.path, PATH);
    }
  });
});
