import type { BlueprintFile } from './blueprint.ts';
import { exemplarOf, isSibling } from './family.ts';
import type { ContextLimits, FileContext, FileContextParts } from './file-context.ts';
import { renderInterface } from './interface.ts';
import { isTest, knownFile, seenFile, sightOf, type KnownFile } from './known-file.ts';
import { needsOf } from './order.ts';
import { estimateTokens } from './paper-text.ts';

type Nearby = Pick<
  FileContext,
  'dependencies' | 'callers' | 'futureCallers' | 'exemplar' | 'neighbours'
>;

/** The files around one: those it needs and its callers as it has to see them, interfaces beyond. */
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
  const room = { code: limits.textTokens, data: limits.textTokens };
  const sight = sightOf(file, blueprint, texts.has(file.path));
  const seen = (path: string): KnownFile => seenFile(path, sight, parts, room);
  const needs = mostNeededFirst(file.needs, blueprint.files);
  // Room goes to the nearest first: what few others need is what this file is built on.
  const dependencies = needs.toReversed().map(seen).reverse();
  const exemplar = exemplarFor(parts, file, callers);
  const shown = new Set([file.path, ...file.needs, ...callers, ...(exemplar ? [exemplar] : [])]);
  return {
    dependencies,
    exemplar:
      exemplar === null
        ? null
        : seenFile(exemplar, { kind: 'text', most: Number.POSITIVE_INFINITY }, parts, room),
    callers: callers.map(seen),
    futureCallers: users.filter(({ path }) => statuses.get(path) !== 'retired' && !isWritten(path)),
    neighbours: neighbours(parts, file, shown, limits),
  };
}

/** What many files need stands first, so that their prompts begin alike, which providers' caches reward. */
function mostNeededFirst(
  needs: readonly string[],
  files: readonly BlueprintFile[],
): readonly string[] {
  const planned = files.map(({ path }) => path);
  const usersOf = (path: string): number =>
    files.filter((file) => file.needs.includes(path)).length;
  return [...needs].sort(
    (one, other) => usersOf(other) - usersOf(one) || planned.indexOf(one) - planned.indexOf(other),
  );
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

/** What the dependencies need, nearest first, then the written files of the same family. Only code hands on objects of theirs. */
function neighbours(
  parts: FileContextParts,
  file: BlueprintFile,
  shown: ReadonlySet<string>,
  limits: ContextLimits,
): KnownFile[] {
  if (!file.path.endsWith('.py') || isTest(file.path)) return [];
  const byPath = new Map(parts.blueprint.files.map((each) => [each.path, each]));
  const family = parts.blueprint.files.filter((other) =>
    isSibling(file, other, parts.blueprint.files),
  );
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
    kept.push({ ...known, about: '' });
  }
  return kept;
}
