import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import type { FailureDetails } from '../domain/failure-details.ts';
import type { Settlement } from '../domain/budget.ts';
import {
  AllowanceTooSmall,
  BlobUnreadable,
  ContextTooLong,
  NeedsPerson,
  NewerVersion,
  NoBlueprint,
  PaperUnreadable,
  RetryLater,
} from '../domain/errors.ts';

/**
 * The one map from our errors to Temporal's failures. What time repairs is retried by Temporal, without end; what the
 * workflow must answer (money, a person, an unreadable paper, a cancel) is not retried and carries `FailureDetails`.
 */
export function asFailure(error: unknown, settlement?: Settlement): unknown {
  const cost = settlement && { settlement };
  if (error instanceof CancelledFailure && cost)
    return new CancelledFailure(error.message, [cost], error);
  if (error instanceof CancelledFailure || error instanceof ApplicationFailure) return error;
  if (error instanceof AllowanceTooSmall) {
    return finalFailure(error, { needed: error.needed, ...cost });
  }
  const wait = waitOf(error);
  if (wait && error instanceof Error) return finalFailure(error, { wait, ...cost });
  if (error instanceof PaperUnreadable || error instanceof NoBlueprint)
    return finalFailure(error, { ...cost });
  if (error instanceof RetryLater && error.retryAfterMs !== undefined) {
    const { name, message, retryAfterMs } = error;
    return ApplicationFailure.create({ type: name, message, nextRetryDelay: retryAfterMs });
  }
  return error;
}

function waitOf(error: unknown): FailureDetails['wait'] {
  if (error instanceof NeedsPerson) {
    return { kind: error.kind, message: error.message, remedy: error.remedy };
  }
  if (error instanceof ContextTooLong) {
    return {
      kind: 'context',
      message: `The request is longer than the model's window: ${error.message}`,
      remedy:
        'Choose a model with a larger context window with `deeprepro resume NAME --model MODEL`.',
    };
  }
  if (error instanceof BlobUnreadable) {
    return {
      kind: 'store',
      message: error.message,
      remedy:
        'Make sure that client and worker use the same data folder, or restore it from a copy.',
    };
  }
  if (error instanceof NewerVersion) {
    return {
      kind: 'version',
      message: error.message,
      remedy: 'Update deeprepro and restart its worker.',
    };
  }
  return undefined;
}

function finalFailure(error: Error, details: FailureDetails): ApplicationFailure {
  return ApplicationFailure.create({
    type: error.name,
    message: error.message,
    nonRetryable: true,
    details: [details],
  });
}
