import assert from 'node:assert/strict';
import type { StatusReport } from '../../src/runs/status-report.ts';
import { frameOf, type Picture } from '../../src/commands/frame.ts';
import { linesOf } from '../../src/commands/list.ts';
import { fittingTable } from '../../src/commands/table.ts';
import { cleanLine, fit, widthOf, wrap } from '../../src/commands/text-width.ts';

const PLAIN = { bold: same, dim: same, warn: same };

describe('frameOf', () => {
  it('shows files, findings, spend with what is maybe paid, calls and steps at work', () => {
    const text = frameOf(aPicture(), PLAIN).join('\n');
    assert.match(text, /^my-paper · round 2 +1:05$/m);
    assert.match(text, /^files +█+░+ 7 of 12 files written, 1 broken$/m);
    assert.match(text, /^findings +2 blocking findings open$/m);
    assert.match(text, /^spent +░+ 0\.42 of 15\.00 USD, 0\.10 USD of it maybe paid$/m);
    assert.match(text, /^calls +31 calls, 4 reused$/m);
    assert.match(text, /^at work +write src\/model\.py · remember src\/data\.py$/m);
  });

  it('does not deny files of a plan that waits for approval', () => {
    const files = { planned: 0, written: 0, broken: 0, retired: 0 };
    const status = aStatusReport({ files, phase: 'approval', blueprint: 'a'.repeat(64) });
    const text = frameOf(aPicture({ status }), PLAIN).join('\n');
    assert.match(text, /^files +planned, none written yet$/m);
    assert.doesNotMatch(text, /no file planned|there is no plan/);
  });

  it('counts from the start of the run, not of the watching', () => {
    const status = aStatusReport({ createdAt: '2026-01-01T00:00:00Z' });
    const text = frameOf(aPicture({ status }), PLAIN).join('\n');
    assert.match(text, /^my-paper · round 2 +10:00$/m);
  });

  it('says in words what the bar shows of the round under way', () => {
    const events = ['a.py', 'b.py'].map((subject) => ({
      ...({ id: subject, at: '', kind: 'file-written', round: 2, subject, ref: null } as const),
      text: `Wrote ${subject}.`,
    }));
    const text = frameOf(aPicture({ events, columns: 100 }), PLAIN).join('\n');
    assert.match(text, /7 of 12 files written, 1 broken, 2 more in this round$/m);
  });

  it('tells once what many steps say', () => {
    const event = { at: '', kind: 'wait-began', round: 1, subject: '', ref: null } as const;
    const events = ['Planned.', 'Waits.', 'Waits.', 'Waits.'].map((text, index) => ({
      ...event,
      ...{ id: String(index), text },
    }));
    const lines = frameOf(aPicture({ events }), PLAIN).slice(-2);
    assert.deepEqual(
      lines.map((line) => line.slice(10)),
      ['Planned.', 'Waits.'],
    );
  });

  it('cuts a long name rather than the state', () => {
    const status = aStatusReport({ name: 'a-very-long-name-of-a-paper-and-more', waits: [WAIT] });
    const [title] = frameOf(aPicture({ columns: 40, status }), PLAIN);
    assert.match(title ?? '', /^a-very.*… · round 2 +1:05$/);
  });

  it('lists progress and money below a run where they do not fit beside it', () => {
    const status = aStatusReport({ outcome: 'complete-with-gaps' });
    const lines = linesOf(status, 8, 40);
    assert.equal(lines[0], 'my-paper  complete-with-gaps');
    assert.match(lines.slice(1).join(' '), /7 of 12 files.*0\.42 +of.*15\.00 USD/);
    assert.ok(lines.every((line) => widthOf(line) <= 40));
    assert.match(
      linesOf(status, 8, 200).join('\n'),
      /^my-paper  complete-with-gaps  7 of .*paper\.md$/,
    );
  });

  it('leaves out columns of a table rather than cut those that are needed', () => {
    const table = (columns: number) =>
      fittingTable(['round', 'refused', 'spent'], [['1', '0', '0.10 USD']], columns, ['refused']);
    assert.deepEqual(table(16), ['round  spent', '    1  0.10 USD']);
    assert.match(table(80)[0] ?? '', /refused/);
  });

  for (const columns of [10, 20, 40, 80, 200]) {
    it(`has no line that wraps on ${columns} columns`, () => {
      const picture = aPicture({
        columns,
        status: aStatusReport({ name: '論文'.repeat(20), waits: [WAIT], state: 'waiting' }),
        trouble: 'The supervisor has gone; connecting again …',
      });
      for (const line of frameOf(picture, PLAIN))
        assert.ok(widthOf(line) < Math.max(columns, 15), `${columns}: ${line}`);
    });
  }

  it('shows the whole remedy of a wait, however narrow the terminal', () => {
    const status = aStatusReport({ waits: [WAIT], state: 'waiting' });
    const lines = frameOf(aPicture({ columns: 40, status }), PLAIN);
    assert.match(
      lines.map((line) => line.slice(10)).join(' '),
      /Run `deeprepro budget my-paper 20`/,
    );
  });

  it('lets no control character of a model reach the terminal', () => {
    const event = { id: '1', at: '', kind: 'notice', round: 1, subject: '', ref: null } as const;
    const events = [{ ...event, text: 'Found \u001b[2J\u0007 it' }];
    assert.match(frameOf(aPicture({ events }), PLAIN).at(-1) ?? '', /^recent {4}Found \[2J it$/);
  });
});

describe('fit and wrap', () => {
  it('count wide characters as two columns', () => {
    assert.equal(widthOf('a論'), 3);
    assert.equal(fit('論文論文', 5), '論文…');
  });

  it('leave short text alone and cut a word that is too long', () => {
    assert.equal(fit('short', 5), 'short');
    assert.deepEqual(wrap('a bb cccccc', 4), ['a bb', 'cccc', 'cc']);
  });

  it('make one line of many', () => {
    assert.equal(cleanLine(' a\n\tb\u202e c '), 'a b c');
  });
});

const WAIT = {
  kind: 'budget',
  step: 'write src/model.py',
  message: 'The next model call may cost up to 0.50 USD, but only 0.10 USD of 15.00 USD is left.',
  remedy: 'Run `deeprepro budget my-paper 20` or more.',
};

function same(text: string): string {
  return text;
}

function aPicture(changes: Partial<Picture> = {}): Picture {
  return {
    status: aStatusReport(),
    events: [],
    trouble: '',
    nowMs: Date.parse('2026-01-01T00:10:00Z'),
    columns: 80,
    rows: 24,
    ...changes,
  };
}

function aStatusReport(changes: Partial<StatusReport> = {}): StatusReport {
  return {
    schemaVersion: 1,
    name: 'my-paper',
    paper: 'paper.md',
    createdAt: '2026-01-01T00:08:55Z',
    batch: null,
    updatedAt: '',
    incarnation: 1,
    state: 'running',
    phase: 'rounds',
    round: 1,
    files: { planned: 4, written: 7, broken: 1, retired: 0 },
    openBlocking: { count: 2, first: [] },
    account: {
      ...{ unit: 'usd', cap: 15, spent: 0.42, maybePaid: 0.1, reserved: 0, calls: 31, reused: 4 },
    },
    expected: null,
    paused: false,
    stopping: false,
    waits: [],
    live: ['write src/model.py', 'remember src/data.py'],
    outcome: null,
    failure: '',
    blueprint: null,
    head: null,
    report: null,
    out: null,
    engine: { state: 'answering', message: '', pending: [] },
    ...changes,
  };
}
