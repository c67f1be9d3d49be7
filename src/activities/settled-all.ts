/** Waits for every promise before it throws the first failure: a sibling's reply is journaled, not abandoned half way. */
export async function settledAll<Value>(promises: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
