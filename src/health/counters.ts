import type { MetricMeter } from '@temporalio/common';
import type { Deps } from '../activities/deps.ts';
import { RetryLater } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';

/** Makes the counters that are to be seen among a worker's metrics. */
export type Meter = Pick<MetricMeter, 'createCounter'>;

/** Dependencies that count what models are asked, what runs spend, and for what they wait. */
export function withCounters(deps: Deps, meter: Meter): Deps {
  return {
    ...deps,
    model: countCalls(deps.model, meter),
    folders: countRuns(deps.folders, meter),
  };
}

/** A model whose calls and tokens are counted. */
export function countCalls(model: Deps['model'], meter: Meter): Deps['model'] {
  const calls = meter.createCounter('deeprepro_model_calls', 'calls', 'Calls, by how they ended');
  const tokens = meter.createCounter('deeprepro_tokens', 'tokens', 'Tokens read and written');
  return {
    async reply(request, signal, onProgress) {
      const tags = { model: request.model };
      try {
        const reply = await model.reply(request, signal, onProgress);
        calls.add(1, { ...tags, ending: reply.finish });
        tokens.add(reply.usage.inputTokens, { ...tags, direction: 'input' });
        tokens.add(reply.usage.outputTokens, { ...tags, direction: 'output' });
        return reply;
      } catch (error) {
        calls.add(1, { ...tags, ending: endingOf(error, signal) });
        throw error;
      }
    },
  };
}

/** Run folders that count what a run spends and its waits, whenever that is written down. */
export function countRuns(folders: Deps['folders'], meter: Meter): Deps['folders'] {
  // Counters take whole numbers.
  const spend = {
    usd: meter.createCounter('deeprepro_spend_microdollars', 'microdollars', 'Spent, in dollars'),
    tokens: meter.createCounter('deeprepro_spend_tokens', 'tokens', 'Spent, in tokens'),
  };
  const waits = meter.createCounter('deeprepro_waits', 'waits', 'Waits begun, by what for');

  function count(before: RunRecord, after: RunRecord): void {
    const { unit } = after.account;
    const spent = after.account.spent - before.account.spent;
    if (spent > 0) spend[unit].add(Math.round(unit === 'usd' ? spent * 1_000_000 : spent));
    const had = new Set(before.waits.map(({ kind, step }) => `${kind} ${step}`));
    for (const { kind, step } of after.waits)
      if (!had.has(`${kind} ${step}`)) waits.add(1, { kind });
  }

  return {
    ...folders,
    async update(name, change) {
      let before: RunRecord | undefined;
      const after = await folders.update(name, (record) => {
        before = record;
        return change(record);
      });
      if (before) count(before, after);
      return after;
    },
  };
}

function endingOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'cancelled';
  return error instanceof RetryLater ? 'retry' : 'failed';
}
