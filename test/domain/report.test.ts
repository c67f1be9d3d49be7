import assert from 'node:assert/strict';
import { renderReport } from '../../src/domain/report.ts';
import type { RunFacts } from '../../src/domain/run-facts.ts';
import { aBlueprint, aFinding, aRequirement, aValue } from '../fakes/builders.ts';
import { aPaidReply, someFacts } from '../fakes/facts.ts';
import { aState } from '../fakes/states.ts';
import { aRecord } from '../fakes/a-record.ts';

function aReport(changes: Partial<RunFacts> = {}): string {
  return renderReport(someFacts(changes));
}

describe('the report', () => {
  it('says the outcome and that nothing was run', () => {
    assert.match(aReport(), /\*\*Outcome: complete\.\*\*/);
    assert.match(aReport(), /R0, not run/);
  });

  it('names open findings with their remedy and counts resolved ones', () => {
    const findings = [
      aFinding(),
      aFinding({ id: 'f2', resolvedInRound: 2, message: 'Long gone.' }),
    ];
    const report = aReport({ state: aState({ findings }), outcome: 'complete-with-gaps' });
    assert.match(
      report,
      /\*\*blocking\*\* `run_tasks\.py`: src\/gated_sum\.py has no build_sum\. Call GatedSum\./,
    );
    assert.match(report, /1 blocking and 0 warnings open, 1 resolved/);
    assert.ok(report.indexOf('Long gone') > report.indexOf('## Resolved findings'));
  });

  it('shows a requirement in scope that no file owns', () => {
    const requirements = [
      ...aBlueprint().requirements,
      aRequirement({ id: 'R9', demand: 'a | b\nc' }),
    ];
    const report = aReport({ blueprint: aBlueprint({ requirements }) });
    assert.match(report, /\| R9 \| equation \| a \\\| b c \| eq-1 \| main \| \*\*none\*\* \|/);
  });

  it('says first that the answers seem to be about another paper, and which demands lost their quote', () => {
    const requirements = ['R1', 'R2', 'R3'].map((id) => ({
      ...aRequirement({ id, quote: '' }),
      misquoted: true,
    }));
    const report = aReport({ blueprint: aBlueprint({ requirements }) });
    assert.match(report, /## What is missing\n\n- 3 of 3 sentences .*about another paper\./);
    assert.doesNotMatch(aReport(), /another paper/);
  });

  it('says where chosen values deviate from what the paper states, a line a key', () => {
    const value = aValue({ key: 'train.lr', value: '1e-3', requirements: ['R2', 'R4'] });
    const configuration = [
      { ...value, reason: 'the other diverges', deviates: true },
      { ...value, key: 'train.steps', requirements: ['R2'], reason: 'as above', deviates: true },
    ];
    const report = aReport({ blueprint: aBlueprint({ configuration }) });
    assert.match(
      report,
      /## Where it deviates from the paper\n\n- `train\.lr` = `1e-3` \(R2, R4\): the other diverges\n- `train\.steps` = `1e-3` \(R2\): as above\n(?!-)/,
    );
    assert.doesNotMatch(aReport(), /deviates from/);
  });

  it('says what may have been paid in calls whose end was not seen', () => {
    const account = { ...aRecord().account, spent: 2, maybePaid: 0.5 };
    assert.match(
      aReport({ account }),
      /2\.00 USD of 15\.00 USD, of which 0\.50 USD may have been paid/,
    );
  });

  it('says of an earlier round that the run went on, and how it ended', () => {
    const later = { round: 6, outcome: 'complete' } as const;
    const report = aReport({ outcome: null, later });
    assert.match(report, /\*\*As of round 3 of 6\.\*\* The run ended afterwards: complete\./);
    assert.match(report, /Spent up to then.*\n.*took 3 min 20 s up to then/);
    assert.doesNotMatch(report, /still at work|Not ended|in the journal/);
    const still = aReport({ outcome: null, later: { ...later, outcome: null } });
    assert.match(still, /\*\*As of round 3 of 6\.\*\* The run went on\./);
  });

  it('claims no check where nothing is written, and no end where there is none', () => {
    const report = aReport({ outcome: null, state: null, blueprint: null, statuses: new Map() });
    assert.match(report, /R0, not run\. Nothing is written yet/);
    assert.doesNotMatch(report, /every file parses|in all/);
    assert.match(report, /took 3 min 20 s so far/);
  });

  it('says why a run failed, also before there is a plan', () => {
    const report = aReport({
      state: null,
      blueprint: null,
      outcome: 'failed',
      failure: 'The paper is empty.',
    });
    assert.match(report, /^# Run toy\n\n\*\*Outcome: failed\.\*\* The paper is empty\./);
  });

  it('says why a finding matters, since when it is open and that repairs were tried', () => {
    const findings = [aFinding({ triedInRounds: [2, 3] })];
    const report = aReport({ state: aState({ findings }) });
    assert.match(
      report,
      /looked up as soon as the line is reached.*open since round 1, repairs tried in round 2, 3/,
    );
  });

  it('puts what matters most first, and folds long tables', () => {
    const requirements = Array.from({ length: 40 }, (_, index) =>
      aRequirement({ id: `R${index + 1}` }),
    );
    const report = aReport({
      blueprint: aBlueprint({ requirements }),
      state: aState({ findings: [aFinding()] }),
      replies: [aPaidReply()],
    });
    const places = [
      '**Outcome',
      '## Open findings',
      '## Chosen without',
      '## Experiments',
      '## Requirements',
      '## Spend',
    ];
    const found = places.map((title) => report.indexOf(title));
    assert.deepEqual(
      found,
      [...found].sort((one, other) => one - other),
    );
    assert.ok(found.every((place) => place >= 0));
    assert.match(report, /<details><summary>Requirements \(40\)<\/summary>\n\n\| id/);
  });

  it('tells spend by stage and file, and what may have been paid', () => {
    const report = aReport({
      replies: [aPaidReply()],
      lost: [
        {
          label: 'remember/a.py/0123456789ab/try1',
          worstCost: 1,
          startedAt: '2030-01-01T00:02:00.000Z',
        },
      ],
    });
    assert.match(report, /\| writing \| 1 \| 1,000 \(400\) \| 50 \| 0\.25 USD \|  \| 5\.0 s \|/);
    assert.match(report, /\| memory \| 1 \| .* \| 1\.00 USD \| 1\.00 USD \|/);
    assert.match(report, /\| `a\.py` \| 1 \|/);
  });

  it('keeps foreign text from breaking tables, opening tags or steering a terminal', () => {
    const [first] = aBlueprint().experiments;
    assert.ok(first);
    const nasty = 'x \\| y\n# z <script>alert(1)</script> \u001b[31m `q` | r\\';
    const experiments = [{ ...first, title: nasty, command: nasty, question: nasty }];
    const report = aReport({
      blueprint: aBlueprint({ experiments, title: nasty, summary: nasty }),
      notices: [nasty],
      doubts: [{ path: 'a.py', text: nasty }],
    });
    const row = report.split('\n').find((line) => line.startsWith('| E1')) ?? '';
    // Columns as GitHub reads them: a backslash takes the next character with it.
    assert.equal(row.replace(/\\[^]/g, '').split('|').length, 8);
    assert.doesNotMatch(report, /\n# z|\u001b/);
    assert.doesNotMatch(report.replace(/(`+)[^]*?\1/g, ''), /<script/);
  });
});
