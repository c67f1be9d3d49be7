import assert from 'node:assert/strict';
import { describeState } from '../../src/commands/describe-run.ts';
import { createPlainView } from '../../src/commands/follow-views.ts';
import type { Terminal } from '../../src/commands/ports.ts';
import { eventOf } from '../../src/domain/event.ts';
import { readStatus } from '../../src/runs/read-status.ts';
import type { StatusReport } from '../../src/runs/status-report.ts';
import { aBench, aStartedRun, RUNNING, type Bench } from '../runs/a-run.ts';

const KEY = { kind: 'key', message: 'The key is wrong.', remedy: 'Set another.' };
const WAITS = ['analyse concepts', 'analyse figures'].map((step) => ({ ...KEY, step }));

describe('the plain view', () => {
  let bench: Bench;
  let status: StatusReport;
  before(async () => {
    bench = await aBench();
    await aStartedRun(bench, { waits: WAITS });
    bench.engine.run = RUNNING;
    status = await readStatus(bench.ports, 'my-paper');
  });
  after(() => bench.end());

  it('tells once what several steps wait for, as a fact or as it stands', () => {
    const { lines, terminal } = aTerminal();
    const view = createPlainView(terminal);
    const events = WAITS.map(({ step, message, remedy }) => {
      const text = `Waits: ${message} ${remedy}`;
      return eventOf({ kind: 'wait-began', round: 0, subject: step, text, ref: null }, AT);
    });
    view.show({ status, events, trouble: '' });
    view.show({ status, events: [], trouble: '' });
    assert.equal(lines.filter((line) => line.includes('The key is wrong.')).length, 1);
  });

  it('does not tell again what a fork has from the run that it left', () => {
    const { lines, terminal } = aTerminal();
    const fact = { kind: 'notice', round: 0, subject: '', text: 'Long ago.', ref: null } as const;
    const events = [eventOf(fact, '2020-01-01T00:00:00.000Z')];
    createPlainView(terminal).show({ status, events, trouble: '' });
    assert.ok(!lines.some((line) => line.includes('Long ago.')));
  });

  it('tells of a round before what is written in it', () => {
    const { lines, terminal } = aTerminal();
    const at = (round: number, text: string) =>
      eventOf({ kind: 'file-written', round, subject: text, text, ref: null }, AT);
    const events = [at(1, 'Wrote a.py.'), at(2, 'Wrote b.py.')];
    const now = { ...status, phase: 'rounds', round: 1, waits: [] } as const;
    createPlainView(terminal).show({ status: now, events, trouble: '' });
    assert.deepEqual(
      lines.slice(0, 3).map((line) => line.slice(10).split(':')[0]),
      ['Wrote a.py.', 'Now round 2', 'Wrote b.py.'],
    );
  });

  it('tells once a trouble that several steps are tried again for', () => {
    const { lines, terminal } = aTerminal();
    const pending = ['analyseConcepts', 'analyseFigures'].map((name, index) => ({
      ...{ name, attempt: index + 2, lastFailure: 'It cannot be reached.' },
    }));
    const engine = { state: 'answering' as const, message: '', pending };
    createPlainView(terminal).show({ status: { ...status, engine }, events: [], trouble: '' });
    assert.equal(lines.filter((line) => line.includes('It cannot be reached.')).length, 1);
  });

  it('says nothing of a worker that was lost, since another goes on', () => {
    const { lines, terminal } = aTerminal();
    const pending = [
      { name: 'takeTurn', attempt: 2, lastFailure: 'activity Heartbeat timeout' },
      { name: 'remember', attempt: 1, lastFailure: '' },
    ];
    const engine = { state: 'answering' as const, message: '', pending };
    createPlainView(terminal).show({ status: { ...status, engine }, events: [], trouble: '' });
    assert.ok(!lines.some((line) => /timeout|Tried again/.test(line)));
  });

  it('calls a run that noted its wait waiting, also where no worker answers in time', () => {
    assert.equal(status.engine.state, 'silent');
    assert.equal(describeState(status), 'waiting (key)');
  });
});

/** After the run was started. */
const AT = '2100-01-01T00:00:00.000Z';

function aTerminal(): { lines: string[]; terminal: Terminal } {
  const lines: string[] = [];
  const terminal: Terminal = {
    out: (text) => void lines.push(text),
    err: () => undefined,
    note: () => undefined,
    verbosity: () => 'normal',
    isLive: false,
    hasColors: false,
    columns: () => 80,
    rows: () => 24,
    stream: process.stdout,
  };
  return { lines, terminal };
}
