import assert from 'node:assert/strict';
import { renderReport } from '../../src/domain/report.ts';
import type { RunFacts } from '../../src/domain/run-facts.ts';
import { aBlueprint, aFinding, aRequirement } from '../fakes/builders.ts';
import { someFacts } from '../fakes/facts.ts';
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

  it('says what may have been paid in calls whose end was not seen', () => {
    const account = { ...aRecord().account, spent: 2, maybePaid: 0.5 };
    assert.match(
      aReport({ account }),
      /2\.00 USD of 15\.00 USD, of which 0\.50 USD may have been paid/,
    );
  });

  it('says why a run failed, also before there is a plan', () => {
    const report = aReport({ state: null, blueprint: null, outcome: 'failed', failure: 'The paper is empty.' });
    assert.match(report, /^# Run toy\n\n\*\*Outcome: failed\.\*\* The paper is empty\./);
  });
});
