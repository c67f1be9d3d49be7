import assert from 'node:assert/strict';
import { overlapOf } from '../../src/domain/join-text.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { aPlan } from '../fakes/plan-scenario.ts';
import { writtenRun } from './written-run.ts';

const PLAN = aPlan({ files: 6, depth: 2 });
const PATH = 'src/part_01.py';

const FILE = Array.from(
  { length: 30 },
  (_, index) =>
    `def ${index === 0 ? 'part_01' : `step_${index}`}(x: float) -> float:\n    """Step ${index}."""\n    return x + ${index}\n`,
).join('\n\n');

const WHOLE = `@write ${PATH}\n\`\`\`\`python\n${FILE}\`\`\`\`\n@met\nnone\n@doubts\nnone\n@done`;

function turnOf({ label }: ModelRequest): number | undefined {
  const turn = label.startsWith(`r1/write/${PATH}/t`) ? label.split('/t').at(-1) : undefined;
  return turn === undefined ? undefined : Number(turn);
}

/** The rest of the file after what a request shows as arrived. */
function restAfter({ messages }: ModelRequest): string {
  const shown = messages.at(-2)?.content ?? '';
  const text = shown.slice(shown.indexOf('\n', shown.indexOf('````')) + 1);
  return FILE.slice(FILE.indexOf(overlapOf(text).join('\n')));
}

describe('a reply that is cut', () => {
  it('is continued, and the joined file is the one that the model meant', async () => {
    const { outcome, texts, requests } = await writtenRun(PLAN, (request) => {
      const turn = turnOf(request);
      if (turn === 1) return { text: WHOLE.slice(0, 900), finish: 'length' };
      if (turn === 2)
        return `@continue ${PATH}\n\`\`\`\`\n${restAfter(request)}\`\`\`\`\n@met\n@doubts\n@done`;
      return undefined;
    });
    assert.equal(outcome, 'complete');
    assert.equal(texts.get(PATH), FILE);
    assert.equal(requests.filter((request) => turnOf(request) !== undefined).length, 2);
  });

  it('is taken in parts when it is cut again, with turns of its own', async () => {
    const parts = FILE.split('\n\n\n');
    const { outcome, texts, requests } = await writtenRun(PLAN, (request) => {
      const turn = turnOf(request);
      if (turn === undefined) return undefined;
      if (turn === 1) return { text: WHOLE.slice(0, 900), finish: 'length' };
      if (turn === 2)
        return {
          text: `@continue ${PATH}\n\`\`\`\`\n${restAfter(request).slice(0, 1100)}`,
          finish: 'length',
        };
      const asked = request.messages.at(-1)?.content ?? '';
      const shown = request.messages.at(-2)?.content ?? '';
      const left = parts.slice(shown.match(/^def /gm)?.length ?? 0);
      const list = asked.includes('@rest')
        ? left.map((part) => `- ${headOf(part)}\n`).join('')
        : '';
      const sent = left.slice(0, 6);
      return `${list && `@rest ${PATH}\n${list}`}@part ${sent.map(headOf).join(', ')}\n\`\`\`\`\n${sent.join('\n\n')}\n\`\`\`\`\n@met\n@doubts\n@done`;
    });
    assert.equal(outcome, 'complete');
    assert.equal(texts.get(PATH)?.replace(/\n+/g, '\n'), FILE.replace(/\n+/g, '\n'));
    assert.ok(requests.filter((request) => turnOf(request) !== undefined).length > 3);
  });

  it('never becomes a file, though its text reads whole, when every reply is cut', async () => {
    const { outcome, texts, state } = await writtenRun(PLAN, ({ label }) =>
      label.includes(`write/${PATH}`) ? { text: WHOLE, finish: 'length' } : undefined,
    );
    assert.equal(outcome, 'complete-with-gaps');
    assert.ok(!texts.has(PATH));
    const finding = state.findings.find(({ path }) => path === PATH);
    assert.equal(finding?.kind, 'missing');
    assert.match(finding?.message ?? '', /cut-off: /);
  });

  for (const length of [5, 300])
    it(`never becomes a file when every reply is cut after ${length} characters`, async () => {
      const { outcome, texts, requests } = await writtenRun(PLAN, ({ label }) =>
        label.includes(`write/${PATH}`)
          ? { text: WHOLE.slice(0, length), finish: 'length' }
          : undefined,
      );
      assert.equal(outcome, 'complete-with-gaps');
      assert.ok(!texts.has(PATH));
      const asked = requests.filter(({ label }) => label.includes(`write/${PATH}`));
      assert.ok(asked.length <= 3 * 11, `${asked.length} turns`);
    });
});

function headOf(part: string): string {
  return part.slice(0, part.indexOf('('));
}
