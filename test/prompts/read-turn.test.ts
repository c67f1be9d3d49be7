import assert from 'node:assert/strict';
import type { Draft } from '../../src/domain/draft.ts';
import { overlapOf } from '../../src/domain/join-text.ts';
import { goOnWith, readTurn, type TurnReading } from '../../src/prompts/read-turn.ts';

const PATH = 'src/model.py';
const USAGE = { inputTokens: 1, cachedTokens: 0, outputTokens: 9, estimated: false };

const FILE = `"""A model. ${'`'.repeat(3)} is a fence."""
from __future__ import annotations

import math
from typing import (
    Any,
    Sequence,
)


def weigh(values: Sequence[float]) -> float:
    """Equation (1)."""
    total = 0.0
    for value in values:
        total += 1 / (1 + math.exp(-value))
    return total


@decorated
class Model:
    TEXT = """
def not_a_definition():
\`\`\`
"""

    def run(self, values: Any) -> float:
        return weigh(values)


def main() -> None:
    print(Model().run([1.0]))


if __name__ == "__main__":
    main()
`;

function whole(content = FILE, fence = '````'): string {
  return `@write ${PATH}\n${fence}python\n${content}${fence}\n@met\nR1: weigh\n@doubts\nnone\n@done`;
}

function read(text: string, finish: 'stop' | 'length', draft: Draft | null = null): TurnReading {
  return readTurn({ reply: { text, finish, usage: USAGE }, path: PATH, draft, asked: 3 });
}

function draftOf(reading: TurnReading): Draft {
  assert.equal(reading.kind, 'draft', JSON.stringify(reading).slice(0, 300));
  return reading.draft;
}

/** What a dutiful model answers to the request to go on: the lines shown, and all that follows them in the file. */
function continued(draft: Draft, file = FILE): string {
  const shown = overlapOf(draft.text).join('\n');
  const start = file.lastIndexOf(shown, draft.text.length);
  assert.ok(start >= 0);
  return `@continue ${PATH}\n\`\`\`\`\`python\n${file.slice(start)}\`\`\`\`\`\n@met\nR1: weigh\n@doubts\nnone\n@done`;
}

describe('readTurn', () => {
  it('takes a whole answer that ended well, and no other, for the file', () => {
    assert.deepEqual(read(whole(), 'stop').kind, 'file');
    assert.notEqual(read(whole(), 'length').kind, 'file');
  });

  it('takes no cut for a file, wherever it falls, and joins its continuation to the very file', () => {
    for (const finish of ['length', 'stop'] as const) {
      let joined = 0;
      const reply = whole();
      for (let length = 0; length < reply.length; length += 1) {
        const cut = read(reply.slice(0, length), finish);
        assert.notEqual(cut.kind, 'file', `cut at ${length}`);
        if (cut.kind !== 'draft') continue;
        assert.ok(FILE.startsWith(cut.draft.text.trimEnd()), `cut at ${length}`);
        const end = read(continued(cut.draft), 'stop', cut.draft);
        assert.ok(end.kind === 'file', `cut at ${length}: ${JSON.stringify(end)}`);
        assert.equal(end.content, FILE);
        joined += 1;
      }
      assert.ok(joined > reply.length / 2);
    }
  });

  it('takes no cut of a continuation for its end, wherever it falls', () => {
    const reply = whole();
    const draft = draftOf(read(reply.slice(0, 500), 'length'));
    const more = continued(draft);
    for (const finish of ['length', 'stop'] as const)
      for (let length = 0; length < more.length; length += 1) {
        const reading = read(more.slice(0, length), finish, draft);
        assert.equal(reading.kind, 'draft', `cut at ${length}`);
        if (reading.kind === 'draft') assert.ok(FILE.startsWith(reading.draft.text.trimEnd()));
      }
    assert.equal(read(more, 'length', draft).kind, 'draft');
  });

  it('takes no cut of a three-backtick answer for a file, and never keeps more than the file held', () => {
    const file = 'x = 1\ny = 2\nz = 3\na = 4\nb = 5\nTEXT = """\n```\nc = 6\n```\n"""\nd = 7\n';
    const reply = whole(file, '```');
    for (let length = 0; length < reply.length; length += 1) {
      const cut = read(reply.slice(0, length), 'length');
      assert.notEqual(cut.kind, 'file', `cut at ${length}`);
      if (cut.kind === 'draft') assert.ok(file.startsWith(cut.draft.text), `cut at ${length}`);
    }
  });

  it('says so when a continuation does not begin with the lines that arrived', () => {
    const draft = draftOf(read(whole().slice(0, 500), 'length'));
    const wrong = read(`@continue ${PATH}\n\`\`\`\`\nelse = 1\n\`\`\`\`\n@done`, 'stop', draft);
    assert.ok(wrong.kind === 'draft');
    assert.deepEqual(wrong.draft, draft);
    assert.match(wrong.problems.join(), /does not begin with the last lines/);
    const again = goOnWith(PATH, draft, wrong.problems).at(-1)?.content ?? '';
    assert.match(again, /could not be used and is dropped:\n- It does not begin/);
  });

  it('takes the file again as a whole instead of its continuation', () => {
    const draft = draftOf(read(whole().slice(0, 500), 'length'));
    assert.equal(read(whole(), 'stop', draft).kind, 'file');
  });

  it('asks for the whole again where nothing worth keeping came, or the model was caught in a loop', () => {
    assert.equal(read('', 'length').kind, 'problems');
    assert.equal(read(`@write ${PATH}\n\`\`\`\`\nx = 1\n`, 'length').kind, 'problems');
    const loop = `@write ${PATH}\n\`\`\`\`\n${'x = 1\n'.repeat(400)}`;
    assert.equal(read(loop, 'length').kind, 'problems');
  });

  it('asks for the rest in parts when a continuation is cut again, from the last whole definition', () => {
    const first = draftOf(read(whole().slice(0, 400), 'length'));
    const second = continued(first);
    const parts = draftOf(read(second.slice(0, second.indexOf('def main') + 9), 'length', first));
    assert.ok(parts.kind === 'parts');
    assert.match(parts.text, /return total\n$|return weigh\(values\)\n$/);
    assert.doesNotMatch(parts.text, /def main/);
  });

  it('joins parts in their order, their imports first, to a whole file', () => {
    const text = FILE.slice(0, FILE.indexOf('@decorated'));
    const draft: Draft = { kind: 'parts', asked: 3, text, rest: null };
    const model = FILE.slice(FILE.indexOf('@decorated'), FILE.indexOf('def main'));
    const next = draftOf(
      read(
        `@rest ${PATH}\n- class Model\n- def main\n- the end\n@part class Model\n\`\`\`\`python\nimport os\n\n${model}\`\`\`\`\n@done`,
        'stop',
        draft,
      ),
    );
    assert.ok(next.kind === 'parts');
    assert.deepEqual(next.rest, ['def main', 'the end']);
    const wrong = read('@part the end\n````\nmain()\n````\n@done', 'stop', next);
    assert.ok(wrong.kind === 'draft');
    assert.match(wrong.problems.join(), /does not hold def main/);
    const tail = FILE.slice(FILE.indexOf('def main'));
    const last = `@part def main, the end\n\`\`\`\`\n${tail}\`\`\`\`\n@met\n@doubts\n@done`;
    const end = read(last, 'stop', next);
    assert.ok(end.kind === 'file');
    assert.equal(end.content, FILE.replace(')\n\n\ndef weigh', ')\nimport os\n\n\ndef weigh'));
    for (let length = 0; length < last.length; length += 1)
      assert.equal(read(last.slice(0, length), 'stop', next).kind, 'draft', `cut at ${length}`);
    assert.equal(read(last, 'length', next).kind, 'draft');
  });

  it('refuses a part that was cut with a reason that says so', () => {
    const draft: Draft = { kind: 'parts', asked: 3, text: FILE, rest: ['def more'] };
    const cut = read('@part def more\n````\ndef more():\n', 'length', draft);
    assert.ok(cut.kind === 'draft');
    assert.match(cut.problems.join(), /^cut-off: /);
  });
});
