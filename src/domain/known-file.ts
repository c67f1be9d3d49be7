import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { entryPointOf } from './entry-point.ts';
import { isNamedIn } from './essential-files.ts';
import type { FileContextParts } from './file-context.ts';
import { namesOf, type FileInterface } from './interface.ts';
import { estimateTokens } from './paper-text.ts';

/** Another file as the executor sees it: its text where that matters and fits, else its interface, else its plan. */
export interface KnownFile {
  readonly path: string;
  readonly purpose: string;
  /** The whole content, or null where it is not written or is shown by its interface. */
  readonly text: string | null;
  /** What it says of itself at its head; empty for a file shown whole, or one that says nothing. */
  readonly about: string;
  /** The flags that it declares when it is started; null for a file that is not, or that is shown whole. */
  readonly entryPoint: readonly string[] | null;
  /** Read off the code, or null where it is not written. */
  readonly interface: FileInterface | null;
  /** The memory's notes; empty for a file shown whole. */
  readonly notes: string;
  /** The signatures of the plan, which count only while the file is not written. */
  readonly planned: string;
}

/**
 * How a file looks at the code around it. `text`: whole, where no longer than so many characters and while there is
 * room. `interface`: what it offers. `names`: which names it has, and what they are. `flags`: how it is started.
 */
export type Sight =
  | { readonly kind: 'text'; readonly most: number }
  | { readonly kind: 'interface' | 'names' | 'flags' };

/** Code of others is shown whole up to this: who calls it must know what it does. */
const MOST_OF_CODE = 16_000;
/** Settings and other data that code reads are shown whole: nothing else tells their fields. */
const MOST_OF_DATA = 24_000;
/** Of longer data, their beginning. */
const HEAD_OF_DATA = 6_000;
/** Of what a file says of itself. */
const MOST_ABOUT = 1_500;

/**
 * How the writer of a file looks at others. Tests, and the programs at the end that no experiment runs (reports, tables,
 * plots), use what others offer: interfaces, columns and notes tell them that, at a third of the length. A repair sees
 * code whole: what goes wrong is often how something that is called behaves.
 */
export function sightOf({ path }: BlueprintFile, blueprint: Blueprint, isRepair: boolean): Sight {
  if (isScript(path)) return { kind: 'flags' };
  if (/\.(?:md|rst|txt)$/i.test(path)) return { kind: 'names' };
  if (isRepair) return { kind: 'text', most: MOST_OF_CODE };
  if (isTest(path) || isLast(path, blueprint)) return { kind: 'interface' };
  return { kind: 'text', most: MOST_OF_CODE };
}

/** Whether no code builds on a file and no experiment starts it. */
function isLast(path: string, { files, experiments }: Blueprint): boolean {
  return (
    !isCalledByCode(path, files) && !experiments.some(({ command }) => isNamedIn(path, command))
  );
}

/** Whether the code of another planned file, tests apart, needs this one. */
export function isCalledByCode(path: string, files: readonly BlueprintFile[]): boolean {
  return files.some(
    (other) => other.path.endsWith('.py') && !isTest(other.path) && other.needs.includes(path),
  );
}

/** Whether a file is started by a shell and calls programs, not code. */
export function isScript(path: string): boolean {
  return /\.(?:sh|bash)$|(?:^|\/)(?:Makefile|Dockerfile)$/i.test(path);
}

/** Whether a file holds tests or what they read. */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|fixtures)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$/.test(path);
}

/** Tokens that whole texts may still take; code and data are counted apart. */
export interface Room {
  code: number;
  data: number;
}

/**
 * A file as it is seen; takes what it shows whole out of the room. The first code that does not fit ends it: files that
 * need the same then show the same, which providers' caches reward.
 */
export function seenFile(
  path: string,
  sight: Sight,
  parts: FileContextParts,
  room: Room,
): KnownFile {
  const written = parts.texts.get(path);
  const known = knownFile(path, parts);
  if (written === undefined) return known;
  const isCode = path.endsWith('.py');
  const text = shownText(path, written);
  const most = !isCode ? MOST_OF_DATA : sightFor(path, sight, parts);
  const kind = isCode ? 'code' : 'data';
  const tokens = estimateTokens(text);
  if (text.length <= most && tokens <= room[kind]) {
    room[kind] -= tokens;
    return { ...known, text, about: '', notes: '' };
  }
  if (isCode && text.length <= most) room.code = 0;
  if (isData(path)) return { ...known, text: headOf(text), about: '', notes: '' };
  const entryPoint = entryPointOf(text);
  if (sight.kind === 'flags' && isCode) return { ...known, entryPoint, interface: null, notes: '' };
  if (sight.kind !== 'names') return { ...known, entryPoint };
  return {
    ...known,
    entryPoint,
    notes: '',
    interface: known.interface && namesOf(known.interface),
  };
}

/** Data that code reads: nobody can tell their fields from anything but themselves. */
function isData(path: string): boolean {
  return /\.(?:ya?ml|json|toml|csv|tsv|ini|cfg)$/i.test(path);
}

function headOf(text: string): string {
  if (text.length <= HEAD_OF_DATA) return text;
  const end = text.lastIndexOf('\n', HEAD_OF_DATA);
  const head = text.slice(0, end > 0 ? end : HEAD_OF_DATA);
  return `${head}\n… (the first ${head.length} of ${text.length} characters)`;
}

/** Of settings, keys and values: their comments say where a value comes from, at three times the length. */
function shownText(path: string, text: string): string {
  return /\.ya?ml$/i.test(path) ? withoutComments(text) : text;
}

/** Lines that are comments, and comments behind values without quotes, left out. */
function withoutComments(yaml: string): string {
  return yaml
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .map((line) => line.replace(/^([^#'"]*\S)\s+#.*$/, '$1'))
    .join('\n');
}

/** Characters of code that may be shown whole. A test sees the programs that it starts: there are no notes on those. */
function sightFor(
  path: string,
  sight: Sight,
  { blueprint, path: writer }: FileContextParts,
): number {
  if (sight.kind === 'text') return sight.most;
  const hasNotes = isCalledByCode(path, blueprint.files);
  return sight.kind === 'interface' && isTest(writer) && !hasNotes ? MOST_OF_CODE : 0;
}

/** A file by its interface and notes, else by its plan. */
export function knownFile(path: string, { blueprint, memory, texts }: FileContextParts): KnownFile {
  const plan = blueprint.files.find((each) => each.path === path);
  const entry = memory.get(path);
  return {
    path,
    purpose: entry?.purpose || (plan?.purpose ?? ''),
    text: null,
    about: path.endsWith('.py') ? aboutOf(texts.get(path) ?? '') : '',
    entryPoint: null,
    interface: entry?.interface ?? null,
    notes: entry?.notes ?? '',
    planned: plan?.signatures ?? '',
  };
}

/** A module's docstring: often the one place that says which files and columns it writes. */
function aboutOf(text: string): string {
  const match = /^(?:[ \t]*(?:#[^\n]*)?\n)*[rR]?("""|''')([\s\S]*?)\1/.exec(text);
  const about = match?.[2]?.trim() ?? '';
  return about.length <= MOST_ABOUT ? about : `${about.slice(0, MOST_ABOUT)} … (cut here)`;
}
