/** What became of a promise within a time. */
export type Within<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'late' };

/** Waits for `promise`, at most `timeoutMs`. Never rejects, also not later; leaves no timer behind. */
export async function within<Value>(
  timeoutMs: number,
  promise: Promise<Value>,
): Promise<Within<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Within<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), timeoutMs);
  });
  const settled = promise.then(
    (value): Within<Value> => ({ kind: 'done', value }),
    (error: unknown): Within<Value> => ({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
    }),
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
