import type { BlueprintFile } from './blueprint.ts';
import { exemplarOf, isSibling } from './family.ts';
import type { ContextLimits, FileContext, FileContextParts, KnownFile } from './file-context.ts';
import { entryPointOf } from './entry-point.ts';
import { renderInterface } from './interface.ts';
import { needsOf } from './order.ts';
import { estimateTokens } from './paper-text.ts';

type Nearby = Pick<
  FileContext,
  'dependencies' | 'callers' | 'futureCallers' | 'exemplar' | 'neighbours'
>;

/** The files around one: whole texts of those it needs and of its callers while there is room, interfaces beyond. */
export function nearbyFiles(
  parts: FileContextParts,
  file: BlueprintFile,
  limits: ContextLimits,
): Nearby {
  const { blueprint, statuses, memory, texts, importers } = parts;
  const isWritten = (path: string): boolean => memory.has(path) || texts.has(path);
  const users = blueprint.files.filter(({ needs }) => needs.includes(file.path));
  const callers = [
    ...new Set([...users.map(({ path }) => path).filter(isWritten), ...importers]),
  ].filter((path) => path !== file.path && !file.needs.includes(path));
  const room = { left: limits.textTokens };
  const whole = (path: string): KnownFile => {
    const known = knownFile(path, parts);
    return startsOrDescribes(file.path) && path.endsWith('.py')
      ? withEntryPoint(known, texts.get(path))
      : withText(known, texts.get(path), room);
  };
  // In the plan's order: files that need the same begin alike, which providers' caches reward.
  const planned = blueprint.files.map(({ path }) => path);
  const needs = [...file.needs].sort((one, other) => planned.indexOf(one) - planned.indexOf(other));
  const dependencies = needs.map(whole);
  const exemplar = exemplarFor(parts, file, callers);
  const shown = new Set([file.path, ...file.needs, ...callers, ...(exemplar ? [exemplar] : [])]);
  return {
    dependencies,
    exemplar: exemplar === null ? null : whole(exemplar),
    callers: callers.map(whole),
    futureCallers: users.filter(({ path }) => statuses.get(path) !== 'retired' && !isWritten(path)),
    neighbours: neighbours(parts, file, shown, limits),
  };
}

/** The written exemplar of a file's family, while the file itself is not written: a repair has its own text to follow. */
function exemplarFor(
  { blueprint, texts }: FileContextParts,
  file: BlueprintFile,
  callers: readonly string[],
): string | null {
  const exemplar = exemplarOf(file, blueprint.files);
  if (exemplar === null || !texts.has(exemplar) || texts.has(file.path)) return null;
  return file.needs.includes(exemplar) || callers.includes(exemplar) ? null : exemplar;
}

function knownFile(path: string, { blueprint, memory }: FileContextParts): KnownFile {
  const plan = blueprint.files.find((each) => each.path === path);
  const entry = memory.get(path);
  return {
    path,
    purpose: entry?.purpose || (plan?.purpose ?? ''),
    text: null,
    entryPoint: null,
    interface: entry?.interface ?? null,
    notes: entry?.notes ?? '',
    planned: plan?.signatures ?? '',
  };
}

/** Takes the text in while there is room; a file that no longer fits shows its interface instead. */
function withText(file: KnownFile, text: string | undefined, room: { left: number }): KnownFile {
  if (text === undefined) return file;
  const tokens = estimateTokens(text);
  if (tokens > room.left) return file;
  room.left -= tokens;
  return { ...file, text };
}

function withEntryPoint(file: KnownFile, text: string | undefined): KnownFile {
  return text === undefined ? file : { ...file, entryPoint: entryPointOf(text) };
}

/** What the dependencies need, nearest first, then the written files of the same family. */
function neighbours(
  parts: FileContextParts,
  file: BlueprintFile,
  shown: ReadonlySet<string>,
  limits: ContextLimits,
): KnownFile[] {
  const byPath = new Map(parts.blueprint.files.map((each) => [each.path, each]));
  const family = parts.blueprint.files.filter((other) => isSibling(file, other));
  const near = new Set([...needsOf(file.path, byPath), ...family.map(({ path }) => path)]);
  const kept: KnownFile[] = [];
  let left = limits.signatureTokens;
  for (const path of near) {
    if (shown.has(path) || !parts.memory.has(path)) continue;
    const known = knownFile(path, parts);
    const lines = known.interface ? renderInterface(known.interface) : '';
    // Settings and fixtures offer no interface: an empty block tells nothing.
    if (lines === '' && known.notes === '') continue;
    const tokens = estimateTokens(`${path} ${known.purpose}\n${known.notes}\n${lines}`);
    if (tokens > left) break;
    left -= tokens;
    kept.push(known);
  }
  return kept;
}

/**
 * Whether a file only starts others or describes what they offer: it needs their interfaces, flags and settings. Whole
 * sources would be half of all that is ever sent.
 */
function startsOrDescribes(path: string): boolean {
  return /\.(?:md|rst|txt|sh|bash)$|(?:^|\/)(?:Makefile|Dockerfile)$/i.test(path);
}
