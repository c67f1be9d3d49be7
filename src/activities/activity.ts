import { Context } from '@temporalio/activity';
import type { z } from 'zod';
import type { Settlement } from '../domain/budget.ts';
import type { Role } from '../domain/message.ts';
import type { RunSettings } from '../domain/run-settings.ts';
import type { Task } from '../domain/task.ts';
import type { Prompt, Reading } from '../prompts/prompt.ts';
import { ask } from './ask.ts';
import type { Deps } from './deps.ts';
import { asFailure } from './failures.ts';
import type { PaidCall } from './inputs.ts';
import { loadSettings } from './load.ts';
import { openCalls, type ModelCalls } from './model-calls.ts';
import type { Concurrency } from './past-calls.ts';
import { startPulse } from './pulse.ts';
import { say } from './say.ts';

/** An activity without model calls: it beats like the paid ones, its input is parsed, its errors are mapped. `signal` ends it. */
export function unpaid<Schema extends z.ZodType, Result>(
  schema: Schema,
  work: (input: z.infer<Schema>, signal: AbortSignal) => Promise<Result>,
): (input: z.infer<Schema>) => Promise<Result> {
  return async (input) => {
    const pulse = startPulse(Context.current());
    try {
      return await work(schema.parse(input), pulse.signal);
    } catch (error) {
      throw asFailure(error);
    } finally {
      pulse.stop();
    }
  };
}

/** What a paid activity works with. */
export interface Paying {
  readonly settings: RunSettings;
  readonly task: Task;
  /** Ends what is under way when the run is cancelled or the worker must go. */
  readonly signal: AbortSignal;
  readonly calls: ModelCalls;
  readonly ask: <Answer>(
    role: Role,
    label: string,
    prompt: Prompt<Answer>,
  ) => Promise<Reading<Answer>>;
}

/** An activity with model calls: it beats from its first moment, and says what it cost, also when it fails. `concurrencyOf` where calls stand side by side. */
export function paid<Schema extends z.ZodType<PaidCall>, Result>(
  deps: Deps,
  schema: Schema,
  work: (input: z.infer<Schema>, paying: Paying) => Promise<Result>,
  concurrencyOf?: (input: z.infer<Schema>) => Concurrency,
): (input: z.infer<Schema>) => Promise<Result & { settlement: Settlement }> {
  return async (raw) => {
    const pulse = startPulse(Context.current());
    let calls: ModelCalls | undefined;
    try {
      const input = schema.parse(raw);
      const { settings, task } = await loadSettings(deps, input.settings);
      const earlier = await Promise.all(
        (input.earlier ?? []).map(async (ref) => (await loadSettings(deps, ref)).settings),
      );
      const opened = openCalls(deps, input, settings, pulse, {
        concurrency: concurrencyOf?.(input),
        earlier,
      });
      calls = opened;
      const result = await work(input, {
        settings,
        task,
        signal: pulse.signal,
        calls: opened,
        async ask(role, label, prompt) {
          const reading = await ask(opened, role, label, prompt);
          if (reading.kind === 'answer' && reading.dropped)
            await sayDropped(deps, input.run, label, reading.dropped);
          return reading;
        },
      });
      return { ...result, settlement: opened.settlement() };
    } catch (error) {
      throw asFailure(error, calls?.settlement());
    } finally {
      pulse.stop();
    }
  };
}

async function sayDropped(
  deps: Deps,
  run: string,
  label: string,
  dropped: readonly string[],
): Promise<void> {
  const text = `Parts of the answer to ${label} could not be used and were left out: ${dropped.join(' ')}`;
  await say(deps, run, { kind: 'notice', round: 0, subject: label, text, ref: null });
}
