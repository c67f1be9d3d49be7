import assert from 'node:assert/strict';
import { editText } from '../../src/domain/edit-text.ts';
import { searchLines } from '../../src/domain/search-lines.ts';
import { pageOf } from '../../src/domain/text-page.ts';
import { OFFERED_TOOLS, readToolCall } from '../../src/domain/tool-use.ts';
import { turnsFor } from '../../src/domain/turns-for.ts';

function problemOf(name: string, sent: string): string {
  const reading = readToolCall({ name, arguments: sent });
  return reading.kind === 'problem' ? reading.problem : '';
}

describe('a call of a tool', () => {
  it('is taken with exactly its arguments, null standing for none', () => {
    const sent = '{"path": "src/a.py", "from": 3, "to": null}';
    assert.deepEqual(readToolCall({ name: 'read_file', arguments: sent }), {
      kind: 'use',
      use: { name: 'read_file', path: 'src/a.py', from: 3 },
    });
    assert.equal(readToolCall({ name: 'check_file', arguments: '' }).kind, 'use');
  });

  it('is refused with the reason otherwise, never repaired', () => {
    assert.match(
      problemOf('write_file', '{"path": "a.py", "content": "x'),
      /are not JSON \(.*@write/,
    );
    assert.match(problemOf('read_file', '{}'), /path: /);
    assert.match(problemOf('read_file', '{"path": "a", "from": 0}'), /from: /);
    assert.match(problemOf('read_file', '{"path": "a", "lines": 3}'), /lines/);
    assert.match(problemOf('edit_file', '{"path": "a", "edits": []}'), /edits: /);
    assert.match(problemOf('read_file', '["a"]'), /must be a JSON object/);
    assert.match(problemOf('run', '{}'), /no tool "run"; there are read_file, /);
    assert.match(problemOf('__proto__', '{}'), /no tool "__proto__"/);
    assert.match(problemOf('read_file', '{"name": "write_file"}'), /read_file do not fit/);
  });

  it('is offered with a schema that names all it takes', () => {
    const edit = OFFERED_TOOLS.find(({ name }) => name === 'edit_file');
    assert.equal(OFFERED_TOOLS.length, 6);
    assert.deepEqual(edit?.parameters['required'], ['path', 'edits']);
    for (const { description, parameters } of OFFERED_TOOLS) {
      assert.notEqual(description, '');
      assert.doesNotMatch(JSON.stringify(parameters), /"name"/);
    }
  });
});

describe('a page of a text', () => {
  const text = 'one\ntwo\nthree\nfour\n';

  it('is the lines that were asked for', () => {
    assert.deepEqual(pageOf(text, { from: 2, to: 3, maxCharacters: 100 }), {
      ...{ from: 2, to: 3, total: 4, text: 'two\nthree', isLineCut: false },
    });
    assert.equal(pageOf(text, { to: 99, maxCharacters: 100 }).to, 4);
  });

  it('is whole lines up to a size, and at least a part of one', () => {
    assert.equal(pageOf(text, { maxCharacters: 7 }).text, 'one\ntwo');
    assert.equal(pageOf(text, { maxCharacters: 12 }).to, 2);
    const { text: cut, isLineCut } = pageOf('x'.repeat(50), { maxCharacters: 10 });
    assert.deepEqual([cut.length, isLineCut], [10, true]);
  });

  it('is empty where there is nothing', () => {
    for (const [source, from] of [
      ['', 1],
      [text, 5],
      [text, 99],
    ] as const) {
      const page = pageOf(source, { from, maxCharacters: 10 });
      assert.deepEqual([page.text, page.to], ['', from - 1]);
    }
    assert.equal(pageOf(text, { from: 3, to: 2, maxCharacters: 10 }).text, '');
  });
});

describe('a search of lines', () => {
  const files = new Map([
    ['a.py', 'x = warmup\nuse(build_actor)\n'],
    ['b.py', 'def build_actor(rate):\n    return warmup * rate\n'],
  ]);
  const places = (query: string) =>
    searchLines(files, query).hits.map(({ path, line }) => `${path}:${line}`);

  it('finds the lines with the most words, definitions first', () => {
    assert.deepEqual(places('build_actor'), ['b.py:1', 'a.py:2']);
    assert.deepEqual(places('WARMUP'), []);
    assert.deepEqual(places('warmup rate'), ['b.py:2']);
    const { held, words } = searchLines(files, 'warmup nowhere');
    assert.deepEqual([held, words], [1, 2]);
  });

  it('takes a star for anything, and nothing else for more than itself', () => {
    assert.deepEqual(places('build_*rate'), ['b.py:1']);
    assert.deepEqual(places('*'), []);
    assert.deepEqual(places('(.+)+$'), []);
  });

  it('takes no longer for hostile words', () => {
    const hostile = new Map([['a.txt', `${'a'.repeat(2_000)}\n`.repeat(500)]]);
    const start = performance.now();
    searchLines(
      hostile,
      Array.from({ length: 5_000 }, (_, at) => `${'a*'.repeat(50)}b${at}`).join(' '),
    );
    assert.ok(performance.now() - start < 2_000);
  });
});

describe('an edit of a text', () => {
  const text = 'a = 1\nb = 2\nc = 1\n';

  it('replaces each piece, the later ones in what the earlier ones left', () => {
    const edits = [
      { search: 'b = 2\r\n', replace: 'b = 3\r\nd = 4\r\n' },
      { search: 'd = 4', replace: 'd = $&' },
    ];
    assert.deepEqual(editText(text, edits), {
      kind: 'edited',
      text: 'a = 1\nb = 3\nd = $&\nc = 1\n',
    });
  });

  it('does nothing where a piece is there more than once, or not at all', () => {
    const twice = editText(text, [
      { search: 'a = 1', replace: '' },
      { search: ' = ', replace: '=' },
    ]);
    assert.ok(twice.kind === 'problems');
    assert.match(twice.problems.join(), /^Edit 2 of 2: its text is there 2 times \(lines 2, 3\)/);
    const spaced = editText(text, [{ search: 'b=2', replace: '' }]);
    assert.ok(spaced.kind === 'problems');
    assert.match(spaced.problems.join(), /0 times.*line 2: `b = 2` \(the same but for spaces\)/);
    assert.equal(editText('', [{ search: 'x', replace: '' }]).kind, 'problems');
    assert.equal(editText('aaa', [{ search: 'aa', replace: '' }]).kind, 'problems');
  });
});

describe('the turns of a file', () => {
  it('are more where it owns many requirements', () => {
    assert.equal(turnsFor({ owns: ['R1'] }), 12);
    assert.equal(turnsFor({ owns: Array.from({ length: 8 }, (_, at) => `R${at}`) }), 20);
  });
});
