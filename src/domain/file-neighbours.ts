import type { BlueprintFile } from './blueprint.ts';
import type { ContextLimits, FileContext, FileContextParts, KnownFile } from './file-context.ts';
import { renderInterface } from './interface.ts';
import { needsOf } from './order.ts';
import { estimateTokens } from './paper-text.ts';

type Nearby = Pick<FileContext, 'dependencies' | 'callers' | 'futureCallers' | 'neighbours'>;

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
  // Documentation describes what files offer; their whole texts would be half of all that is ever sent.
  const room = { left: isDocumentation(file.path) ? 0 : limits.textTokens };
  const whole = (path: string): KnownFile =>
    withText(knownFile(path, parts), texts.get(path), room);
  // In the plan's order: files that need the same begin alike, which providers' caches reward.
  const planned = blueprint.files.map(({ path }) => path);
  const needs = [...file.needs].sort((one, other) => planned.indexOf(one) - planned.indexOf(other));
  const dependencies = needs.map(whole);
  return {
    dependencies,
    callers: callers.map(whole),
    futureCallers: users.filter(({ path }) => statuses.get(path) !== 'retired' && !isWritten(path)),
    neighbours: neighbours(parts, file, new Set([file.path, ...file.needs, ...callers]), limits),
  };
}

function knownFile(path: string, { blueprint, memory }: FileContextParts): KnownFile {
  const plan = blueprint.files.find((each) => each.path === path);
  const entry = memory.get(path);
  return {
    path,
    purpose: entry?.purpose || (plan?.purpose ?? ''),
    text: null,
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
    const tokens = estimateTokens(`${path} ${known.purpose}\n${known.notes}\n${lines}`);
    if (tokens > left) break;
    left -= tokens;
    kept.push(known);
  }
  return kept;
}

/**
 * Whether two files are of one family, such as four adapters on one base: in one folder, and on the same file of it.
 * Other files of a folder are left to the outline: prompts must not grow with every file of a repository.
 */
function isSibling(file: BlueprintFile, other: BlueprintFile): boolean {
  const folder = folderOf(file.path);
  if (folder === '' || folderOf(other.path) !== folder) return false;
  return other.needs.some((need) => folderOf(need) === folder && file.needs.includes(need));
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

function isDocumentation(path: string): boolean {
  return /\.(?:md|rst|txt)$/i.test(path);
}
