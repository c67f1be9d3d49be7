import type { BlueprintFile } from './blueprint.ts';
import { firstNames } from './first-sentences.ts';
import type { FileInterface } from './interface.ts';
import { plannedSignatures, takes, type PlannedSignature } from './planned-signatures.ts';

/** One written file, as planned and as its code is. */
export interface WrittenFile {
  readonly planned: BlueprintFile;
  readonly interface: FileInterface;
  /** Local files that it really imports. */
  readonly imports: readonly string[];
  /** Keys of the planned configuration. */
  readonly keys: readonly string[];
  /** Of its content. */
  readonly lines: number;
}

const MOST_NAMES = 8;
/** A file this many times as long as planned does more than planned, or the same at length. */
const MOST_OF_PLANNED = 1.6;
/** What is shorter costs nobody anything, however short it was to be. */
const LONG_LINES = 50;

/**
 * How a written file departs from its plan, a sentence each: planned names that it lacks or gives other arguments,
 * with those, public names beyond the plan, local files imported and not planned, planned and not imported, settings read under keys
 * that the plan does not have, and a length far beyond the planned one.
 */
export function differencesOf(written: WrittenFile): string[] {
  const { path } = written.planned;
  const differences = [
    ...(path.endsWith('.py') ? codeDifferences(written) : []),
    ...oversize(written),
  ];
  return differences.map((sentence) => `${path} ${sentence}.`);
}

function oversize({ planned: { expectedLines }, lines }: WrittenFile): string[] {
  if (lines <= LONG_LINES || lines <= MOST_OF_PLANNED * expectedLines) return [];
  return [`has ${lines} lines where ${expectedLines} are planned`];
}

function codeDifferences({ planned, interface: real, imports, keys }: WrittenFile): string[] {
  const signatures = plannedSignatures(planned.signatures);
  const code = planned.needs.filter((need) => need.endsWith('.py'));
  const unplanned = imports.filter((path) => !planned.needs.includes(path));
  const unused = code.filter((need) => !imports.includes(need));
  const { keysRead = [], settingsRead = keysRead } = real.facts ?? {};
  const lacks = real.dynamic ? [] : signatures.flatMap((signature) => mismatch(signature, real));
  const strange = settingsRead.filter((key) => isStrange(key, keys));
  return [
    ...(lacks.length > 0 ? [...lacks, ...extras(signatures, real)] : []),
    ...(unplanned.length > 0 ? [`imports ${unplanned.join(', ')}, which is not planned`] : []),
    ...(unused.length > 0 ? [`does not import ${unused.join(', ')}, which is planned`] : []),
    ...(strange.length > 0
      ? [`reads ${firstNames(strange, MOST_NAMES)}, which is no key of the planned configuration`]
      : []),
  ];
}

/** Whether a key is spelled as no planned one is, though its section is planned: neither one, nor above or below one. */
function isStrange(key: string, keys: readonly string[]): boolean {
  const section = key.split('.').slice(0, -1).join('.');
  if (section === '' || !keys.some((each) => each.startsWith(`${section}.`))) return false;
  return !keys.some(
    (each) => each === key || each.startsWith(`${key}.`) || key.startsWith(`${each}.`),
  );
}

function mismatch(planned: PlannedSignature, real: FileInterface): string[] {
  const { owner, name } = planned;
  const shown = owner === '' ? name : `${owner}.${name}`;
  const actual = signatureOf(planned, real);
  if (actual === 'unknown') return [];
  if (actual === undefined) return [`has no \`${shown}\`, which is planned as \`${planned.text}\``];
  const isSame = planned.parameters === null || takes(actual, planned.parameters);
  return isSame ? [] : [`has \`${actual}\` where \`${planned.text}\` is planned`];
}

/** The signature in the code; undefined where it is not there, `unknown` where that cannot be told. */
function signatureOf({ owner, name }: PlannedSignature, real: FileInterface): string | undefined {
  if (owner === '') {
    const found = real.definitions.find((each) => each.name === name);
    return found?.signature ?? (real.names.includes(name) ? 'unknown' : undefined);
  }
  const container = real.definitions.find((each) => each.name === owner);
  // That the class is missing is said once, of the class.
  if (!container) return 'unknown';
  const member = container.members.find((each) => each.name === name);
  const mayInherit = /class\s+\w+\s*\(\s*\w/.test(container.signature);
  return member?.signature ?? (mayInherit ? 'unknown' : undefined);
}

function extras(planned: readonly PlannedSignature[], real: FileInterface): string[] {
  const known = new Set(planned.filter(({ owner }) => owner === '').map(({ name }) => name));
  if (known.size === 0) return [];
  const beyond = real.definitions
    .filter(({ kind, name }) => kind !== 'constant' && !name.startsWith('_') && !known.has(name))
    .map(({ name }) => name);
  return beyond.length === 0 ? [] : [`also has ${firstNames(beyond, MOST_NAMES)}, beyond the plan`];
}
