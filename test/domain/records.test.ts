import assert from 'node:assert/strict';
import { parseRecords, type AnswerRecord } from '../../src/domain/records.ts';

const KINDS = { file: ['purpose', 'owns', 'instructions'], note: ['text'] };

function only(text: string): AnswerRecord {
  const { records } = parseRecords(text, KINDS);
  assert.equal(records.length, 1);
  return records[0] ?? assert.fail();
}

describe('parseRecords', () => {
  it('reads records, fields and the end', () => {
    const text =
      'Here:\n@file src/a.py\npurpose: one line\nowns: R3, R7\n@note\ntext: b\n@done\nBye.';
    assert.deepEqual(parseRecords(text, KINDS), {
      records: [
        {
          kind: 'file',
          rest: 'src/a.py',
          fields: { purpose: 'one line', owns: 'R3, R7' },
          line: 2,
        },
        { kind: 'note', rest: '', fields: { text: 'b' }, line: 5 },
      ],
      problems: [],
      done: true,
    });
  });

  it('removes the common indent and keeps code, LaTeX, decorators and unknown keys', () => {
    const { fields } = only(
      '@file a\ninstructions:\n  @torch.no_grad()\n  def f(x):\n      return x  # $\\alpha$\n\n  lr: 3\n@done',
    );
    assert.equal(
      fields['instructions'],
      '@torch.no_grad()\ndef f(x):\n    return x  # $\\alpha$\n\nlr: 3',
    );
  });

  it('takes lines at column 0 that are neither kinds nor keys as text', () => {
    const { fields } = only(
      '@file a\ninstructions:\n@dataclass\nclass A:\n    b: int\nnote: x\n@done',
    );
    assert.equal(fields['instructions'], '@dataclass\nclass A:\n    b: int\nnote: x');
  });

  it('adds the lines of a repeated key', () => {
    assert.equal(only('@note\ntext: a\ntext: b\n@done').fields['text'], 'a\nb');
  });

  it('leaves out fences around the whole and keeps those inside a field', () => {
    const inner = 'text:\n  see\n  ```\n  x\n  ```';
    assert.equal(
      only(`\`\`\`text\n@note\n${inner}\n\`\`\`\n@done`).fields['text'],
      'see\n```\nx\n```',
    );
    assert.equal(only(`\`\`\`\n@note\n${inner}\n@done\n\`\`\``).fields['text'], 'see\n```\nx\n```');
    assert.equal(only('@note\ntext:\n```\nx\n```\n@done').fields['text'], '```\nx\n```');
  });

  it('says which line has no place', () => {
    const { problems } = parseRecords('@file a\nhello\npurpose: p\n@done', KINDS);
    assert.deepEqual(problems, ['Line 2 stands before the first key of its @file record.']);
  });

  it('never calls a cut answer done, wherever the cut falls', () => {
    const text = '@file a\npurpose: p\ninstructions:\n  do\n  it\n@note\ntext: t\n@done';
    for (let length = 0; length < text.length; length += 1)
      assert.equal(parseRecords(text.slice(0, length), KINDS).done, false, `cut at ${length}`);
    assert.equal(parseRecords(text, KINDS).done, true);
  });

  it('takes names of every object for text', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.deepEqual(parseRecords(`@${name} x\n${name}: y\n@done`, KINDS).records, []);
  });

  it('reads hostile text in time that grows with its length alone', () => {
    const pieces = [
      '@',
      '@file a\n',
      '@file ',
      'text: ',
      '```\n',
      ' ',
      '\u2028',
      '\n',
      '  \n',
      '@note\ntext:',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      const started = performance.now();
      parseRecords(text, KINDS);
      parseRecords(`@note\ntext:${text}\u2028x\n${text}`, KINDS);
      assert.ok(performance.now() - started < 8000, JSON.stringify(piece));
    }
  });
});
