import assert from 'node:assert/strict';
import type { ModelRequest } from '../../src/models/model.ts';
import { overlapOf } from '../../src/domain/join-text.ts';
import { ContextTooLong } from '../../src/domain/errors.ts';
import type { ToolUse } from '../../src/domain/tool-use.ts';
import { aFinding } from '../fakes/builders.ts';
import { randomFrom } from '../fakes/random.ts';
import {
  CHECK,
  NEEDED,
  PATH,
  PROTOCOLS,
  read,
  SOUND,
  using,
  write,
  writtenAtBench,
} from './tool-bench.ts';

/** What came back last, before this request. */
function shown(request: ModelRequest | undefined): string {
  const messages = request?.messages ?? [];
  const from = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(from + 1)
    .map(({ content }) => content)
    .join('\n');
}

for (const protocol of PROTOCOLS)
  describe(`an executor that uses tools by ${protocol}`, () => {
    it('is shown what it looks up, in order, and ends with a sound write', async () => {
      const { result, text, requests } = await writtenAtBench([
        using(protocol, [
          read('src/gated_sum.py'),
          { name: 'search_repository', words: 'def gated_*' },
          { name: 'read_paper', query: 'eq-1' },
          { name: 'read_paper', query: 'logistic function' },
        ]),
        using(protocol, [write(SOUND)]),
      ]);
      assert.equal(result.kind, 'written');
      assert.equal(text, SOUND);
      assert.equal(requests.length, 2);
      const seen = shown(requests[1]);
      const places = [NEEDED.trim(), 'src/gated_sum.py:4: def gated_sum', '$$ y =', '[sec-1]'];
      const at = places.map((place) => seen.indexOf(place));
      assert.ok(
        at.every((place, index) => place > (at[index - 1] ?? -1)),
        seen,
      );
      assert.match(seen, /you have written nothing yet\.\n11 replies are left/);
    });

    it('mends its file by edits until nothing stands against it', async () => {
      const broken = SOUND.replace('0.5))', '0.5)');
      const { result, text, requests } = await writtenAtBench([
        using(protocol, [write(broken)]),
        using(protocol, [
          {
            name: 'edit_file',
            path: PATH,
            edits: [
              { search: '0.5)', replace: '0.5))' },
              { search: '"""Prints a sum."""', replace: '"""Prints one sum."""' },
            ],
          },
        ]),
      ]);
      assert.equal(result.kind, 'written');
      assert.equal(text, SOUND.replace('Prints a', 'Prints one'));
      assert.match(shown(requests[1]), /cannot be accepted as it is\n- run_tasks\.py: line 7/);
    });

    it('does all edits or none, and is told the nearest line', async () => {
      const { text, requests } = await writtenAtBench([
        using(protocol, [
          write(SOUND),
          {
            name: 'edit_file',
            path: PATH,
            edits: [
              { search: '0.5', replace: '0.7' },
              { search: 'def main(argv: list[int]) -> None:', replace: 'def main() -> None:' },
            ],
          },
        ]),
        '@done',
      ]);
      assert.match(
        shown(requests[1]),
        /none of the edits\. Edit 2 of 2: its text is there 0 times.*nearest is line 5: `def main\(argv: list\[str\]\)/,
      );
      assert.equal(text, SOUND);
    });

    it('checks its file without ending, beside the files that it uses', async () => {
      const wrong = SOUND.replaceAll('gated_sum(', 'gated_total(').replace(
        'import gated_sum',
        'import gated_total',
      );
      const { result, text, requests, events } = await writtenAtBench([
        using(protocol, [write(wrong), CHECK]),
        using(protocol, [write(SOUND), CHECK]),
        '@done',
      ]);
      // Of the two, only the first was refused.
      const refused = events.filter(({ kind }) => kind === 'file-refused');
      assert.equal(refused.length, 1);
      assert.match(refused[0]?.text ?? '', /gated_total/);
      assert.match(shown(requests[1]), /gated_total/);
      assert.match(shown(requests[2]), /Nothing is found wrong with it[^]*Answer with @done alone/);
      assert.equal(result.kind, 'written');
      assert.equal(text, SOUND);
      assert.equal(requests.length, 3);
    });

    it('is asked once for what only the repository shows, and may insist', async () => {
      const wrong = SOUND.replaceAll('gated_sum', 'gated_total').replace(
        'src.gated_total',
        'src.gated_sum',
      );
      const { result, text, requests } = await writtenAtBench([
        using(protocol, [write(wrong)]),
        '@done',
      ]);
      assert.match(shown(requests[1]), /could be better\n- .*gated_total/);
      assert.equal(result.kind, 'written');
      assert.equal(text, wrong);
    });

    it('does the good calls of a reply and answers the bad one', async () => {
      const { result, requests } = await writtenAtBench([
        using(protocol, [
          read('src/gated_sum.py'),
          read('../../etc/passwd'),
          { name: 'read_paper', query: 'sec-2' },
          read('reproduce.sh'),
          write('stolen = 1\n', 'src/gated_sum.py'),
        ]),
        using(protocol, [write(SOUND)]),
      ]);
      const seen = shown(requests[1]);
      assert.match(seen, /def gated_sum/);
      assert.match(seen, /"\.\.\/\.\.\/etc\/passwd" cannot be read: the path holds an empty/);
      assert.match(seen, /every 50 steps/);
      assert.match(seen, /reproduce\.sh is planned and not written yet/);
      assert.match(seen, /only run_tasks\.py is( yours)?/);
      assert.equal(result.kind, 'written');
    });

    it('ends with a finding when it makes one call again and again', async () => {
      const { result, requests } = await writtenAtBench(() =>
        using(protocol, [read('src/gated_sum.py')]),
      );
      assert.equal(requests.length, 3);
      assert.match(shown(requests[2]), /once more ends your work/);
      assert.ok(result.kind === 'refused');
      assert.match(result.reasons.join(), /^looping: .*read.*src\/gated_sum\.py/);
    });

    it('keeps a sound file when it cannot stop looking', async () => {
      const { result, text } = await writtenAtBench(({ label }) =>
        label.endsWith('/t1')
          ? using(protocol, [write(SOUND), CHECK])
          : using(protocol, [read(PATH)]),
      );
      assert.equal(result.kind, 'written');
      assert.equal(text, SOUND);
    });

    it('has its last turn for the write alone, and is told so before', async () => {
      let turn = 0;
      const { result, requests } = await writtenAtBench(
        () => {
          turn += 1;
          if (turn < 4) return using(protocol, [{ name: 'read_paper', query: `sec-${turn}` }]);
          return using('text', [write(SOUND)]);
        },
        { turns: 4 },
      );
      assert.equal(result.kind, 'written');
      assert.match(shown(requests[3]), /Your next reply is the last, and only its write counts/);
      assert.equal(requests[2]?.tools?.length, 6);
      assert.equal(requests[3]?.tools, undefined);
    });

    it('is refused with its last attempt when its turns are used up', async () => {
      let turn = 0;
      const { result, text, requests } = await writtenAtBench(
        () => using(protocol, [write(SOUND.replace('0.5))', `0.${(turn += 1)})`))]),
        { turns: 4 },
      );
      assert.ok(result.kind === 'refused');
      assert.match(result.reasons.join(), /line 7/);
      assert.match(text ?? '', /0\.4\)\n$/);
      assert.equal(requests.length, 4);
    });

    it('repairs its present text by an edit, and need not send it whole', async () => {
      const { result, text } = await writtenAtBench(
        [
          using(protocol, [
            {
              name: 'edit_file',
              path: PATH,
              edits: [{ search: 'build_sum', replace: 'gated_sum' }],
            },
          ]),
        ],
        {
          texts: {
            'src/gated_sum.py': NEEDED,
            [PATH]: SOUND.replace('print(gated_sum', 'print(build_sum'),
          },
          state: { findings: [aFinding()] },
        },
      );
      assert.equal(result.kind, 'written');
      assert.equal(text, SOUND);
    });

    it('must say why it halves an accepted file', async () => {
      const long = SOUND + Array.from({ length: 12 }, (_, at) => `STEP_${at} = ${at}\n`).join('');
      const wish = { texts: { 'src/gated_sum.py': NEEDED, [PATH]: long } };
      const { result, requests } = await writtenAtBench(
        [
          using(protocol, [write(SOUND)]),
          using(protocol, [
            {
              ...write(SOUND),
              name: 'write_file',
              path: PATH,
              content: SOUND,
              shrinks: 'The steps are unused.',
            },
          ]),
        ],
        wish,
      );
      assert.match(shown(requests[1]), /most of it would be lost/);
      assert.equal(result.kind, 'written');
      assert.equal(requests.length, 2);
    });

    it('is shown no more than a reply has room for', async () => {
      const texts = Object.fromEntries(
        Array.from({ length: 8 }, (_, at) => [
          `data/part_${at}.txt`,
          `${'long line '.repeat(30)}\n`.repeat(400),
        ]),
      );
      const { requests } = await writtenAtBench(
        [using(protocol, Object.keys(texts).map(read)), using(protocol, [write(SOUND)])],
        { texts: { ...texts, 'src/gated_sum.py': NEEDED } },
      );
      const seen = shown(requests[1]);
      assert.ok(seen.length < 60_000, `${seen.length} characters`);
      assert.match(seen, /lines 1 to \d+ of 400/);
      assert.match(seen, /one reply has been shown enough/);
    });

    it('carries out nothing twice that a crash asks for twice', async () => {
      const applied: string[] = [];
      const { result } = await writtenAtBench(
        [
          using(protocol, [read('src/gated_sum.py'), write('x = (\n'), CHECK]),
          using(protocol, [write(SOUND)]),
        ],
        {
          steps: (steps) => ({
            ...steps,
            async applyTools(turn, reply) {
              const once = await steps.applyTools(turn, reply);
              applied.push(JSON.stringify(once));
              const twice = await steps.applyTools(turn, reply);
              assert.deepEqual(twice, once);
              return twice;
            },
          }),
        },
      );
      assert.equal(result.kind, 'written');
      assert.ok(applied.length >= 1);
    });
  });

describe('an executor with tools that does anything at all', () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`writes its own file or none, within its turns, and each call is answered (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const stolen = 'STOLEN = 1\n';
      const uses: ToolUse[] = [
        ...[
          read(PATH),
          read('src/gated_sum.py'),
          read('/etc/passwd'),
          read('src'),
          read('__proto__'),
        ],
        ...[
          write(stolen, 'src/gated_sum.py'),
          write(stolen, `./${PATH}`),
          write(stolen, '../x.py'),
        ],
        ...[write('x = (\n'), write('"""Nothing."""\n'), write(SOUND), CHECK],
        { name: 'edit_file', path: PATH, edits: [{ search: 'x', replace: 'y' }] },
        { name: 'edit_file', path: 'README.md', edits: [{ search: 'x', replace: stolen }] },
        { name: 'search_repository', words: '.* gated (((', path: '../..' },
        { name: 'read_paper', query: 'eq-1' },
      ];
      const { result, text, requests } = await writtenAtBench(
        () => {
          const some = random.shuffled(uses).slice(0, random.below(4));
          const reply = using(random.chance(0.5) ? 'calls' : 'text', some);
          return random.chance(0.2) ? { ...reply, finish: 'length' } : reply;
        },
        { turns: 6 },
      );
      assert.equal(result.path, PATH);
      assert.ok(requests.length <= 6 + 8);
      assert.doesNotMatch(text ?? '', /STOLEN/);
      if (result.kind === 'written') assert.notEqual(text, 'x = (\n');
      for (const { messages } of requests) {
        const asked = messages.flatMap((message) =>
          message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [],
        );
        const answered = messages.flatMap((message) =>
          message.role === 'tool' ? [message.toolCallId] : [],
        );
        assert.deepEqual(answered, asked);
      }
    });
});

describe('an executor with tools, whose replies are odd,', () => {
  it('goes on where the block of its file was cut, after what it looked up', async () => {
    const long = `${SOUND}${Array.from({ length: 40 }, (_, at) => `\n\ndef step_${at}(x: float) -> float:\n    """Step ${at}."""\n    return x + ${at}\n`).join('')}`;
    const whole = `@read src/gated_sum.py\n@write ${PATH}\n\`\`\`\`python\n${long}\`\`\`\`\n@met\n@doubts\n@done`;
    const { result, text, requests } = await writtenAtBench(({ label, messages }) => {
      if (label.endsWith('/t1')) return { text: whole.slice(0, 1_500), finish: 'length' };
      const arrived = messages.at(-2)?.content ?? '';
      const kept = arrived.slice(arrived.indexOf('\n', arrived.indexOf('````')) + 1);
      const rest = long.slice(long.indexOf(overlapOf(kept).join('\n')));
      return `@continue ${PATH}\n\`\`\`\`\n${rest}\`\`\`\`\n@met\n@doubts\n@done`;
    });
    assert.equal(result.kind, 'written');
    assert.equal(text, long);
    assert.equal(requests.length, 2);
    assert.equal(requests[1]?.tools, undefined);
    const told = requests[1]?.messages.map(({ content }) => content).join('\n') ?? '';
    assert.match(told, /## @read src\/gated_sum\.py\nsrc\/gated_sum\.py, 6 lines/);
  });

  it('carries out no call that a cut fell into, though its arguments read whole', async () => {
    const cut = using('calls', [read('src/gated_sum.py'), write(SOUND)]);
    const { requests, result } = await writtenAtBench([
      { ...cut, finish: 'length' },
      using('calls', [write(SOUND)]),
    ]);
    assert.match(shown(requests[1]), /def gated_sum/);
    assert.match(shown(requests[1]), /Not done\. cut-off: the reply ended here/);
    assert.match(shown(requests[1]), /written nothing yet/);
    assert.equal(result.kind, 'written');
  });

  it('is never given code out of JSON that does not parse', async () => {
    const half = {
      id: 'c',
      name: 'write_file',
      arguments: '{"path": "run_tasks.py", "content": "x',
    };
    const { requests, result } = await writtenAtBench([
      { toolCalls: [half, { ...half, name: 'run_shell', arguments: '{}' }] },
      using('text', [write(SOUND)]),
    ]);
    assert.match(shown(requests[1]), /arguments of write_file are not JSON/);
    assert.match(shown(requests[1]), /There is no tool "run_shell"/);
    const again = requests[1]?.messages.findLast(({ role }) => role === 'assistant');
    assert.ok(again?.role === 'assistant');
    assert.deepEqual(
      again.toolCalls.map((call) => call.arguments),
      ['{}', '{}'],
    );
    assert.equal(new Set(again.toolCalls.map(({ id }) => id)).size, 2);
    assert.equal(result.kind, 'written');
  });

  it('answers each call that it shows again, of however many', async () => {
    const { requests } = await writtenAtBench([
      {
        toolCalls: Array.from({ length: 500 }, (_, at) => ({
          id: '',
          name: 'read_paper',
          arguments: `{"query": "sum ${at}"}`,
        })),
      },
      using('calls', [write(SOUND)]),
    ]);
    const messages = requests[1]?.messages ?? [];
    const said = messages.findLast(({ role }) => role === 'assistant');
    const ids = said?.role === 'assistant' ? said.toolCalls.map(({ id }) => id) : [];
    const answered = messages.flatMap((message) =>
      message.role === 'tool' ? [message.toolCallId] : [],
    );
    assert.deepEqual(answered, ids);
    assert.ok(ids.length < 100);
    assert.match(shown(requests[1]), /One reply may ask for 32 things/);
  });

  for (const odd of ['', 'I shall look at the files first.', '@done'])
    it(`ends refused, before its turns are used up, when it only says "${odd}"`, async () => {
      const { result, requests } = await writtenAtBench(() => odd);
      assert.ok(result.kind === 'refused');
      assert.equal(requests.length, 3);
      assert.match(result.reasons.join(), /looping/);
    });

  it('forgets what it looked up when the window is full, and then asks for a larger one', async () => {
    const window = 40_000;
    const text = `${'a line of data '.repeat(8)}\n`.repeat(100);
    const texts = {
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`data/${name}.txt`, text])),
    };
    const { result, requests } = await writtenAtBench(
      ({ label, messages }) => {
        const length = messages.reduce((sum, { content }) => sum + content.length, 0);
        if (length > window) return new ContextTooLong('The request is too long.');
        const turn = Number(
          /t(\d+)/.exec(label.split('/').find((part) => /^t\d+$/.test(part)) ?? '')?.[1],
        );
        const name = ['a', 'b', 'c', 'd'][turn - 1];
        return using('calls', name ? [read(`data/${name}.txt`)] : [write(SOUND)]);
      },
      { texts: { ...texts, 'src/gated_sum.py': NEEDED } },
    );
    assert.equal(result.kind, 'written');
    const shrunk = requests.find(({ label }) => label.endsWith('/fit1'));
    assert.match(
      shrunk?.messages.map(({ content }) => content).join('\n') ?? '',
      /Left out, as the window is full/,
    );
  });
});
