import type { Blueprint } from './blueprint.ts';
import type { MemoryOfFile } from './file-context.ts';
import type { Finding } from './finding.ts';
import type { PaperDocument } from './paper.ts';
import { estimateTokens } from './paper-text.ts';
import { differencesOf, type WrittenFile } from './plan-differences.ts';
import { openBlocking, progressOf, statusOf, type FileStatus } from './progress.ts';
import { renderFacts, renderInterface } from './interface.ts';
import { isTest } from './known-file.ts';
import { DEFAULT_MAX_FILES, type Limits } from './run-settings.ts';
import type { RunState } from './run-state.ts';
import { takeFitting } from './take-fitting.ts';
import { openFindings, repairsLeftOf } from './target-standing.ts';
import { tellFindings } from './tell-findings.ts';
import { unmetRequirements, type UnmetGroup } from './unmet-requirements.ts';

/** Where one planned file stands, and what may be done with it. */
export interface FileStanding {
  readonly path: string;
  readonly status: FileStatus;
  readonly revision: number;
  readonly repairs: number;
  readonly repairsLeft: number;
  readonly lines: number;
  readonly owned: number;
  /** Planned files that it needs and that are not written. */
  readonly waitsFor: readonly string[];
  /** Written files that really import it. */
  readonly callers: readonly string[];
}

/** An earlier try at a repair: what it changed, and why it was undone; no reasons where it was kept. */
export interface Attempt {
  readonly path: string;
  readonly round: number;
  readonly change: string;
  readonly reasons: readonly string[];
  readonly isKept: boolean;
}

/** One of the last rounds in a few sentences: what became of its targets, findings, what of its subplan could not stand. */
export interface PastRound {
  readonly round: number;
  readonly sentences: readonly string[];
}

/** A written file as memory holds it; facts and notes only where it is near to what may be worked on. */
export interface RememberedFile {
  readonly path: string;
  readonly interface: string;
  readonly facts: string;
  readonly notes: string;
  /** What its writer was unsure of in the last round, or of a near file in any. */
  readonly doubts: string;
}

/** All that A_sub sees: S_t whole, as it is now. */
export interface SubplanContext {
  readonly paper: PaperDocument;
  readonly isPaperShown: boolean;
  readonly userRequests: readonly string[];
  readonly blueprint: Blueprint;
  /** The round to be planned. */
  readonly round: number;
  /** Files that may be added yet. */
  readonly room: number;
  readonly standings: readonly FileStanding[];
  readonly remembered: readonly RememberedFile[];
  readonly differences: readonly string[];
  readonly findings: readonly Finding[];
  /** Files with findings that there was no room for, one name for each. */
  readonly untold: readonly string[];
  readonly attempts: readonly Attempt[];
  readonly unmet: readonly UnmetGroup[];
  readonly lastRounds: readonly PastRound[];
}

/** What a context is built from. */
export interface SubplanParts {
  readonly paper: PaperDocument;
  readonly userRequests: readonly string[];
  readonly blueprint: Blueprint;
  readonly state: RunState;
  readonly limits: Limits;
  readonly memory: ReadonlyMap<string, MemoryOfFile>;
  /** Local files that each written file really imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** How many lines each written file has. */
  readonly lines: ReadonlyMap<string, number>;
  readonly attempts: readonly Attempt[];
  readonly lastRounds: readonly PastRound[];
}

/** Tokens that memory may take: what is near in full, then signatures of the rest. */
const MEMORY_TOKENS = 40_000;
/** Tokens that open findings may take, and earlier tries at them: one fault can be found at hundreds of places. */
const FINDING_TOKENS = 10_000;
const ATTEMPT_TOKENS = 10_000;
const MOST_DIFFERENCES = 80;

/** B_t's question, from the state and nothing older. `share` shrinks what can be spared where a window is small. Pure. */
export function buildSubplanContext(
  parts: SubplanParts,
  { isPaperShown, share }: { readonly isPaperShown: boolean; readonly share: number },
): SubplanContext {
  const { state, blueprint, limits, memory, imports } = parts;
  const standings = blueprint.files.map((file) => standingOf(file.path, parts));
  const statuses = new Map(standings.map(({ path, status }) => [path, status]));
  const keys = blueprint.configuration.map(({ key }) => key);
  const written = blueprint.files.flatMap((planned): WrittenFile[] => {
    const { path } = planned;
    const entry = memory.get(path);
    const facts = { imports: imports.get(path) ?? [], lines: parts.lines.get(path) ?? 0, keys };
    return entry ? [{ planned, interface: entry.interface, ...facts }] : [];
  });
  const { told, untold } = tellFindings(openFindings(state), FINDING_TOKENS * share);
  return {
    paper: parts.paper,
    isPaperShown,
    userRequests: parts.userRequests,
    blueprint,
    round: state.round + 1,
    room: Math.max(0, (limits.maxFiles ?? DEFAULT_MAX_FILES) - blueprint.files.length),
    standings,
    remembered: rememberedFiles(standings, parts, MEMORY_TOKENS * share),
    differences: written.flatMap(differencesOf).slice(0, MOST_DIFFERENCES),
    findings: told,
    untold: untold.map(({ path }) => path),
    attempts: lastAttempts(parts.attempts, ATTEMPT_TOKENS * share),
    unmet: unmetRequirements(blueprint, state, statuses),
    lastRounds: parts.lastRounds,
  };
}

/** The last tries for which there is room, in their order. */
function lastAttempts(attempts: readonly Attempt[], tokens: number): Attempt[] {
  const latestFirst = [...attempts].sort((one, other) => other.round - one.round);
  const fitting = new Set(
    takeFitting(latestFirst, tokens, ({ change, reasons }) =>
      estimateTokens([change, ...reasons].join('\n')),
    ),
  );
  return attempts.filter((attempt) => fitting.has(attempt));
}

function standingOf(
  path: string,
  { state, blueprint, limits, imports }: SubplanParts,
): FileStanding {
  const file = blueprint.files.find((each) => each.path === path);
  const { revision, repairs } = progressOf(state, path);
  const isPlanned = (need: string): boolean => statusOf(state, need, limits) === 'planned';
  return {
    path,
    status: statusOf(state, path, limits),
    revision,
    repairs,
    repairsLeft: repairsLeftOf(state, path, limits),
    lines: file?.expectedLines ?? 0,
    owned: file?.owns.length ?? 0,
    waitsFor: isPlanned(path) ? (file?.needs ?? []).filter(isPlanned) : [],
    callers: [...imports].filter(([, used]) => used.includes(path)).map(([user]) => user),
  };
}

/** Entries of written files, those near the candidates with their notes, the others by signatures, while there is room. */
function rememberedFiles(
  standings: readonly FileStanding[],
  { state, blueprint, memory }: SubplanParts,
  tokens: number,
): RememberedFile[] {
  const near = new Set<string>();
  const keys = blueprint.configuration.map(({ key }) => key);
  for (const { path, status, waitsFor, callers } of standings) {
    const isOpen = openBlocking(state, path).length > 0;
    if (isOpen) for (const each of [path, ...callers]) near.add(each);
    if ((status === 'planned' && waitsFor.length === 0) || isOpen)
      for (const need of blueprint.files.find((each) => each.path === path)?.needs ?? [])
        near.add(need);
  }
  const entries = blueprint.files.flatMap(({ path }) => {
    const entry = memory.get(path);
    return entry ? [{ path, entry }] : [];
  });
  let left = tokens;
  const shown = new Map<string, RememberedFile>();
  for (const isFull of [true, false]) {
    for (const { path, entry } of entries) {
      if (near.has(path) !== isFull) continue;
      const file = {
        path,
        // Nobody calls tests: what they are called tells a planner nothing.
        interface: isTest(path) ? '' : renderInterface(entry.interface),
        facts: isFull ? renderFacts(entry.interface, keys) : '',
        notes: isFull ? entry.notes : '',
        doubts: isFull || entry.doubts?.round === state.round ? (entry.doubts?.text ?? '') : '',
      };
      const cost = estimateTokens(Object.values(file).join('\n'));
      if (cost > left) continue;
      left -= cost;
      shown.set(path, file);
    }
  }
  return entries.flatMap(({ path }) => shown.get(path) ?? []);
}
