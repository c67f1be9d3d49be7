import { createHash } from 'node:crypto';
import type { Problem } from './finding.ts';

/** What makes two reports one finding: kind, file and symbol; never a line number, which moves with every edit. */
export function findingId({
  kind,
  path,
  symbol,
}: Pick<Problem, 'kind' | 'path' | 'symbol'>): string {
  return createHash('sha256').update([kind, path, symbol].join('\0')).digest('hex').slice(0, 12);
}
