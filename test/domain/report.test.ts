import assert from 'node:assert/strict';
import { renderReport, type ReportParts } from '../../src/domain/report.ts';
import { aBlueprint, aFinding, aRequirement, aValue } from '../fakes/builders.ts';
import { aRecord } from '../fakes/a-record.ts';

function aReport(changes: Partial<ReportParts> = {}): string {
  return renderReport({
    run: 'toy',
    outcome: 'complete',
    failure: '',
    blueprint: aBlueprint(),
    statuses: new Map([['run_tasks.py', 'written']]),
    findings: [],
    rounds: 3,
    account: aRecord().account,
    notices: [],
    models: ['scripted'],
    ...changes,
  });
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
    const report = aReport({ findings, outcome: 'complete-with-gaps' });
    assert.match(
      report,
      /\*\*blocking\*\* `run_tasks\.py`: src\/gated_sum\.py has no build_sum\. Call GatedSum\./,
    );
    assert.match(report, /Open: 1, resolved: 1/);
    assert.doesNotMatch(report, /Long gone/);
  });

  it('shows a requirement in scope that no file owns', () => {
    const requirements = [
      ...aBlueprint().requirements,
      aRequirement({ id: 'R9', demand: 'a | b\nc' }),
    ];
    const report = aReport({ blueprint: aBlueprint({ requirements }) });
    assert.match(report, /\| R9 \| equation \| a \\\| b c \| eq-1 \| main \| \*\*none\*\* \|/);
  });

  it('says where a chosen value deviates from what the paper states', () => {
    const value = aValue({ key: 'train.lr', value: '1e-3', requirements: ['R2', 'R4'] });
    const configuration = [{ ...value, reason: '3e-4 diverges', deviates: true }];
    const report = aReport({ blueprint: aBlueprint({ configuration }) });
    assert.match(
      report,
      /## Where it deviates from the paper\n\n- R2: train\.lr = 1e-3: 3e-4 diverges\n- R4:/,
    );
    assert.match(aReport(), /Nowhere by decision\./);
  });

  it('says what may have been paid in calls whose end was not seen', () => {
    const account = { ...aRecord().account, spent: 2, maybePaid: 0.5 };
    assert.match(
      aReport({ account }),
      /2\.00 USD of 15\.00 USD, of which 0\.50 USD may have been paid/,
    );
  });

  it('says why a run failed, also before there is a plan', () => {
    const report = aReport({ blueprint: null, outcome: 'failed', failure: 'The paper is empty.' });
    assert.match(report, /^# Run toy\n\n\*\*Outcome: failed\.\*\* The paper is empty\./);
  });
});
