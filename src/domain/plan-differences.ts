import type { BlueprintFile } from './blueprint.ts';
import { firstNames } from './first-sentences.ts';
import type { FileInterface } from './interface.ts';

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
 * public names beyond the plan, local files imported and not planned, planned and not imported, settings read under keys
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
  const strange = settingsRead.filter((key) => isStrange(key, keys));
  return [
    ...(real.dynamic ? [] : signatures.flatMap((signature) => mismatch(signature, real))),
    ...extras(signatures, real),
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

/** One line of planned signatures. */
interface PlannedSignature {
  /** The class it belongs to, or empty. */
  readonly owner: string;
  readonly name: string;
  /** Names of its parameters, without self; null where the line shows none, and for classes. */
  readonly parameters: readonly string[] | null;
  readonly text: string;
}

function plannedSignatures(text: string): PlannedSignature[] {
  let owner = '';
  return text.split('\n').flatMap((line): PlannedSignature[] => {
    const found = /^(\s*)(?:async\s+)?(class|def)\s+(\w+)/.exec(line);
    if (!found) return [];
    const [, indent = '', kind, name = ''] = found;
    if (indent === '') owner = '';
    const parameters = kind === 'def' ? parametersOf(line) : null;
    const signature = { owner: indent === '' ? '' : owner, name, parameters, text: line.trim() };
    if (kind === 'class') owner = name;
    return [signature];
  });
}

function mismatch(planned: PlannedSignature, real: FileInterface): string[] {
  const { owner, name } = planned;
  const shown = owner === '' ? name : `${owner}.${name}`;
  const actual = signatureOf(planned, real);
  if (actual === 'unknown') return [];
  if (actual === undefined) return [`has no \`${shown}\`, which is planned as \`${planned.text}\``];
  const parameters = parametersOf(actual);
  const isSame =
    planned.parameters === null ||
    parameters === null ||
    parameters.join() === planned.parameters.join();
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

/** Parameter names in order, stars kept, also the one behind which all go by name; without self and cls; null where there are no brackets. */
function parametersOf(signature: string): string[] | null {
  const open = signature.indexOf('(');
  if (open === -1) return null;
  const names: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let index = open; index < signature.length; index += 1) {
    const letter = signature.charAt(index);
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    const isEnd = depth === 0;
    if (!isEnd && !(letter === ',' && depth === 1)) continue;
    names.push(signature.slice(start, index).split(/[:=]/)[0]?.trim() ?? '');
    start = index + 1;
    if (isEnd) break;
  }
  return names.filter((name) => !['', 'self', 'cls', '/'].includes(name));
}

function extras(planned: readonly PlannedSignature[], real: FileInterface): string[] {
  const known = new Set(planned.filter(({ owner }) => owner === '').map(({ name }) => name));
  if (known.size === 0) return [];
  const beyond = real.definitions
    .filter(({ kind, name }) => kind !== 'constant' && !name.startsWith('_') && !known.has(name))
    .map(({ name }) => name);
  return beyond.length === 0 ? [] : [`also has ${firstNames(beyond, MOST_NAMES)}, beyond the plan`];
}
