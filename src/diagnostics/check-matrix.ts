import type { Experiment } from '../domain/experiment.ts';
import { runnerOf } from './check-measures.ts';
import type { ModuleMap } from './module-map.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Selector } from './settings-facts.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

/** Values that select by being a number, a switch or a path rather than a name. */
const FREE_VALUE =
  /^[-+]?[\d.,]+(e[-+]?\d+)?\s*(%|k|m|b|x|ms|s)?$|^(true|false|yes|no|on|off|none|null|all|default)$|[/\\{}<>]|^\d|\.(ya?ml|json|toml|txt|csv)$/i;
/** Most of an axis must be offered in one place before that place is taken for the one that offers the axis. */
const LEAST_SHARE = 0.5;

/** A place that chooses by name, with the file it stands in. */
interface Offer extends Selector {
  readonly file: ParsedFile;
}

/**
 * Values on the axes of experiments that the code cannot select: some place offers most values of the axis by name, and
 * nothing anywhere knows this one. Axes that no placeholder of the command takes, and values passed on freely, are no one's to offer.
 */
export function checkMatrix(
  map: ModuleMap,
  planned: readonly string[],
  experiments: readonly Experiment[],
): Sighting[] {
  if (experiments.length === 0 || planned.some((path) => /\.(py|ya?ml|json|toml)$/.test(path)))
    return [];
  const files = [...map.files.values()].filter(({ path }) => !isTest(path));
  const known = knownNames(files);
  const offers = files.flatMap((file) =>
    file.settings.selectors.map((each) => ({ ...each, file })),
  );
  return axesOf(experiments).flatMap(({ name, values, experiment }) => {
    const refused = refusedValues(map, { name, values, experiment });
    if (refused.length > 0) return refused;
    const unknown = values.filter((value) => !FREE_VALUE.test(value) && !known(value));
    if (unknown.length === 0) return [];
    const offer = bestOffer(offers, values, known);
    return offer === undefined
      ? []
      : unknown.map((value) => unoffered({ name, value, experiment, offer }));
  });
}

interface Axis {
  readonly name: string;
  readonly values: readonly string[];
  /** The first experiment that has it. */
  readonly experiment: Experiment;
}

/** Axes that commands take, those of one name as one. */
function axesOf(experiments: readonly Experiment[]): Axis[] {
  const axes = new Map<string, Axis>();
  for (const experiment of experiments)
    for (const { name, values } of experiment.axes) {
      if (!experiment.command.includes(`{${name}}`)) continue;
      const known = axes.get(name);
      const all = [...new Set([...(known?.values ?? []), ...values])];
      axes.set(name, { name, values: all, experiment: known?.experiment ?? experiment });
    }
  return [...axes.values()];
}

/** Values that the flag which takes the axis refuses, whatever else the code knows. */
function refusedValues(map: ModuleMap, { name, values, experiment }: Axis): Sighting[] {
  const file = runnerOf(map, experiment);
  const flag = new RegExp(`(--?[\\w-]+)[= ]["']?\\{${name}\\}`).exec(experiment.command)?.[1];
  const facts = file?.code.commandLine.arguments.filter(
    ({ flags }) => flag !== undefined && flags.includes(flag),
  );
  const [fact] = facts ?? [];
  if (file === undefined || facts?.length !== 1 || !fact?.choices) return [];
  const { choices, line } = fact;
  const offer = { owner: flag ?? '', line, symbol: '', names: choices, file };
  return values
    .filter((value) => !choices.includes(value))
    .map((value) => unoffered({ name, value, experiment, offer }));
}

/** Whether a name occurs where code could take it from, in the spellings that the code makes equal. */
function knownNames(files: readonly ParsedFile[]): (value: string) => boolean {
  const facts = files.filter(({ language }) => /^(python|yaml|json|toml)$/.test(language));
  const code = facts
    .filter(({ language }) => language === 'python')
    .map(({ settings }) => settings);
  const ignoresCase = code.some((each) => each.ignoresCase);
  const replaces = code.some((each) => each.replacesSeparators);
  const spelled = (name: string): string => {
    const cased = ignoresCase ? name.toLowerCase() : name;
    return replaces ? cased.replace(/[-_ ]+/g, '_') : cased;
  };
  const strings = new Set(
    facts.flatMap(({ settings }) =>
      [...settings.strings, ...settings.selectors.flatMap(({ names }) => names)].map(spelled),
    ),
  );
  const looksUp = code.some((each) => each.looksUpNames);
  for (const { path, language } of files)
    // A module is no choice, unless modules are found by their names.
    if (language !== 'python' || looksUp)
      strings.add(spelled(/([^/]+?)(\.\w+)?$/.exec(path)?.[1] ?? ''));
  const names = new Set(looksUp ? code.flatMap((each) => each.names.map(loosely)) : []);
  const patterns = code.flatMap(({ templates }) => templates.flatMap(patternOf));
  return (value) =>
    strings.has(spelled(value)) ||
    names.has(loosely(value)) ||
    patterns.some((pattern) => pattern.test(value)) ||
    isComposed(spelled(value), strings);
}

/** A class or function found by its name may be spelled in any way. */
function loosely(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

/** Names that are put together from parts, such as `f"no-{part}"`; holes alone match anything and say nothing. */
function patternOf(template: string): RegExp[] {
  const parts = template.split('\0');
  if (!/^[\w -]{2,}$/.test(parts.join(''))) return [];
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return [new RegExp(`^${escaped.join('.+')}$`, 'i')];
}

/** `ours+aux` is taken apart by code that knows `ours` and `aux`. */
function isComposed(value: string, strings: ReadonlySet<string>): boolean {
  const parts = value.split(/[+,:/@]/);
  return parts.length > 1 && parts.every((part) => strings.has(part.trim()));
}

function bestOffer(
  offers: readonly Offer[],
  values: readonly string[],
  known: (value: string) => boolean,
): Offer | undefined {
  const names = values.filter((value) => !FREE_VALUE.test(value));
  const shared = ({ names: offered }: Offer): number => {
    const spelled = new Set(offered.map(loosely));
    return names.filter((name) => known(name) && spelled.has(loosely(name))).length;
  };
  const best = offers
    .map((offer) => ({ offer, count: shared(offer) }))
    .sort((one, other) => other.count - one.count)[0];
  return best && best.count > 0 && best.count >= LEAST_SHARE * names.length
    ? best.offer
    : undefined;
}

function unoffered({
  name,
  value,
  experiment,
  offer,
}: {
  readonly name: string;
  readonly value: string;
  readonly experiment: Experiment;
  readonly offer: Offer;
}): Sighting {
  const { file, owner, line, names } = offer;
  const near = nearestName(value, names);
  const offered = names
    .slice(0, 8)
    .map((each) => `\`${each}\``)
    .join(', ');
  return {
    ...{ kind: 'unoffered-name', path: file.path, symbol: `${name}: ${value}`, line },
    message: (places) =>
      `Experiment ${experiment.id} runs ${name} \`${value}\`, but \`${owner}\` in ${file.path} ${places} offers only ${offered}.`,
    remedy: `Offer \`${value}\` in \`${owner}\`, spelled as the experiment's command passes it, with code that carries it out${near === undefined ? '' : `; if \`${near}\` is meant to be it, rename that`}.`,
  };
}
