import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  isCancellation,
} from '@temporalio/workflow';
import type { FailureDetails } from '../domain/failure-details.ts';
import type { Notebook } from './notebook.ts';

/** A step was cut by the run itself, with what it had cost. */
export class Cut extends Error {
  override readonly name = 'Cut';
  readonly details: FailureDetails | undefined;
  constructor(details: FailureDetails | undefined) {
    super('The step was cut, to be started again or not at all.');
    this.details = details;
  }
}

/** Runs it so that `notebook.underWay` can cut it; throws `Cut` when it was cut. */
export async function cuttable<Result>(
  { underWay }: Notebook,
  { label, verb = '' }: { readonly label: string; readonly verb?: string },
  run: () => Promise<Result>,
): Promise<Result> {
  const scope = new CancellationScope();
  let isCut = false;
  const cut = () => {
    isCut = true;
    scope.cancel();
  };
  underWay.set(label, { verb, cut });
  try {
    return await scope.run(run);
  } catch (error) {
    const isOurs = isCut && !CancellationScope.current().consideredCancelled;
    throw isOurs && isCancellation(error) ? new Cut(detailsOf(error)) : error;
  } finally {
    underWay.delete(label);
  }
}

/** What a failed activity says to the workflow, if it says anything. */
export function detailsOf(error: unknown): FailureDetails | undefined {
  if (error instanceof Cut) return error.details;
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure || cause instanceof CancelledFailure)) return undefined;
  const [details] = cause.details ?? [];
  return typeof details === 'object' && details !== null ? details : undefined;
}
