/** What a run can wait for. Each is something that a person or time can repair; none of them ends a run. */
export type WaitKind =
  | 'key'
  | 'quota'
  | 'network'
  | 'model'
  | 'request'
  | 'context'
  | 'disk'
  | 'store'
  | 'version'
  | 'budget'
  | 'approval'
  | 'pause';

/** Thrown by commands and settings: the person asked for something that cannot be. Ends a command with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Thrown by models and stores when the same request may succeed later: rate limit, overload, network.
 * Temporal tries again, after `retryAfterMs` when the other side named a delay.
 * `maybePaid` says that the provider may have charged for the failed request; `isUnreachable`, that no connection to it
 * could be made.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater';
  readonly retryAfterMs: number | undefined;
  readonly maybePaid: boolean;
  readonly isUnreachable: boolean;
  constructor(
    message: string,
    details: {
      retryAfterMs?: number | undefined;
      maybePaid?: boolean;
      isUnreachable?: boolean;
    } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.retryAfterMs = details.retryAfterMs;
    this.maybePaid = details.maybePaid ?? false;
    this.isUnreachable = details.isUnreachable ?? false;
  }
}

/**
 * Thrown where only a person can help: key, quota, retired model, refused request, full disk. The run waits and
 * keeps everything. `remedy` is a full sentence that says what to do.
 */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson';
  readonly kind: WaitKind;
  readonly remedy: string;
  constructor(kind: WaitKind, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.remedy = remedy;
  }
}

/** Thrown by models when the request does not fit the context window. The caller may shrink it and ask again. */
export class ContextTooLong extends Error {
  override readonly name = 'ContextTooLong';
}

/**
 * Thrown by the meter when one call could cost more than is left of its activity's allowance: no call was made.
 * `needed` is the allowance, in the unit of the budget, that would let the activity go on.
 */
export class AllowanceTooSmall extends Error {
  override readonly name = 'AllowanceTooSmall';
  readonly needed: number;
  constructor(needed: number) {
    super(`The next model call may cost more than is reserved for it; ${needed} is needed.`);
    this.needed = needed;
  }
}

/** Thrown by stores: bytes that a reference names are missing or damaged. */
export class BlobUnreadable extends Error {
  override readonly name = 'BlobUnreadable';
}

/** Thrown by readers of stored values that a newer version of deeprepro wrote. */
export class NewerVersion extends Error {
  override readonly name = 'NewerVersion';
}

/** Thrown when the paper itself cannot be read (missing, empty, binary). The one input error that fails a run. */
export class PaperUnreadable extends Error {
  override readonly name = 'PaperUnreadable';
}

/** Thrown when no usable blueprint came out of all tries: no files, or answers that never fit. It fails the run. */
export class NoBlueprint extends Error {
  override readonly name = 'NoBlueprint';
}
