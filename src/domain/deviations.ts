import type { Blueprint } from './blueprint.ts';

/** By id of a requirement that a chosen value overrides: which values, and why, in one line. */
export function deviationsOf({
  configuration,
}: Pick<Blueprint, 'configuration'>): ReadonlyMap<string, string> {
  const deviations = new Map<string, string>();
  for (const { key, value, requirements, reason, deviates } of configuration) {
    if (!deviates) continue;
    const line = `${key} = ${value}: ${reason || 'no reason given'}`;
    for (const id of requirements) {
      const other = deviations.get(id);
      deviations.set(id, other === undefined ? line : `${other}; ${line}`);
    }
  }
  return deviations;
}
