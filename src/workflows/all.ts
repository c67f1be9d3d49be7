/**
 * Like `Promise.all`, but waits for every sibling before it throws the first failure, so that nothing runs on behind
 * our back.
 */
export async function all<const Promises extends readonly Promise<unknown>[]>(
  promises: Promises,
): Promise<{ -readonly [Index in keyof Promises]: Awaited<Promises[Index]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Marks a promise that is awaited later, so that an early failure is not reported as unhandled meanwhile. */
export function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
