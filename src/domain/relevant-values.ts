import type { ConfigurationValue } from './blueprint.ts';
import type { Experiment } from './experiment.ts';

/** What a file has to do with values: its entry in the plan, what it owns, what it runs. */
interface Concern {
  readonly entry: string;
  readonly owned: ReadonlySet<string>;
  readonly experiments: readonly Experiment[];
}

/**
 * A value concerns a file that owns or names one of its requirements, that names its key or group, or that runs what
 * the group is called after; and so do the values beside it.
 */
export function relevantValues(
  values: readonly ConfigurationValue[],
  { entry, owned, experiments }: Concern,
): readonly ConfigurationValue[] {
  const named = new Set([...owned, ...(entry.match(/\bR\d{1,5}\b/g) ?? [])]);
  const words = new Set(entry.match(/[\w.]*\w/g));
  const runs = new Set(
    experiments.flatMap(({ axes }) => axes.flatMap((axis) => axis.values.map(asKey))),
  );
  const isMeant = ({ key, requirements }: ConfigurationValue): boolean =>
    requirements.some((id) => named.has(id)) ||
    words.has(key) ||
    (groupOf(key) !== '' && words.has(groupOf(key)) && groupOf(key).includes('.')) ||
    groupOf(key)
      .split('.')
      .some((word) => runs.has(word));
  const groups = new Set(values.filter(isMeant).map(({ key }) => groupOf(key)));
  const concerns = (value: ConfigurationValue): boolean =>
    isMeant(value) || isBeside(groupOf(value.key), groups);
  return values.filter(concerns);
}

/** `smoke.train` and `cifar10.train` stand beside `train`; keys without a group stand alone. */
function isBeside(group: string, groups: ReadonlySet<string>): boolean {
  const parts = group.split('.');
  return group !== '' && parts.some((_, index) => groups.has(parts.slice(index).join('.')));
}

function groupOf(key: string): string {
  return key.includes('.') ? key.slice(0, key.lastIndexOf('.')) : '';
}

function asKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}
