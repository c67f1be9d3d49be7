import { join } from 'node:path';

/** Where a sweep keeps values that it is about to remove. */
export function sweepFolder(store: string): string {
  return join(store, 'sweep');
}

/** Where a sweep holds one value until it is sure. */
export function pathInSweep(store: string, sha256: string): string {
  return join(sweepFolder(store), sha256);
}
