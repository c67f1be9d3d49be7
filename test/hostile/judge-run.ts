import type { Parser } from '../../src/analyzers/parse-file.ts';
import { isBlocking } from '../../src/domain/finding.ts';
import { clashingPaths, pathProblem } from '../../src/domain/path.ts';
import type { Hostility } from './hostile-model.ts';
import type { HostileRun } from './hostile-run.ts';

/** DESIGN section 6: what crosses Temporal in one piece; section 4: a view. In bytes. */
const MOST_PAYLOAD = 32 * 1024;
const MOST_VIEW = 16 * 1024;
/** Generous: a run of 150 files with all its findings. In characters. */
const MOST_STATE = 2_000_000;
const MOST_EVENTS = 2_000_000;
const MOST_PROMPT = 2_000_000;
const MOST_REASON = 2_000;
const MOST_REPORT = 3_000_000;

/** What no model may bring a run to, one sentence for each promise that was broken. */
export function brokenPromises(
  run: HostileRun,
  hostilities: readonly Hostility[],
  parser: Parser,
): string[] {
  return [
    ...(run.end === 'retried' ? [`an activity fails at each try: ${run.reason}`] : []),
    ...(run.end === 'complete' ? wronglyComplete(run, hostilities, parser) : []),
    ...(run.end === 'failed' && run.reason === '' ? ['it failed without a reason'] : []),
    ...badSentence(run.reason),
    ...tooLarge('a payload', run.sizes.payload, MOST_PAYLOAD),
    ...tooLarge('a view', run.sizes.view, MOST_VIEW),
    ...tooLarge('a state', run.sizes.state, MOST_STATE),
    ...tooLarge('all events', run.sizes.events, MOST_EVENTS),
    ...tooLarge('a prompt', run.sizes.prompt, MOST_PROMPT),
    ...tooLarge('the report', run.report.length, MOST_REPORT),
    ...badPaths(run),
    ...(run.calls > mostCalls(run) ? [`${run.calls} calls are too many`] : []),
    ...(steersTerminal(run.report) ? ['the report holds control characters'] : []),
  ];
}

/** Looks at the tree with nobody's eyes but its own. */
function wronglyComplete(
  { texts, blueprint, state }: HostileRun,
  hostilities: readonly Hostility[],
  parser: Parser,
): string[] {
  const useless = hostilities.filter(
    ({ parts, behaviour }) => behaviour.isUseless && parts.some((part) => NEEDED.has(part)),
  );
  const planned = blueprint?.files.map(({ path }) => path) ?? [];
  const faulty = [...texts].flatMap(([path, text]) =>
    parser.parse(path, text).problems.map(({ message }) => `${path}: ${message}`),
  );
  const steering = [...texts].filter(
    ([path, text]) => steersTerminal(text) && path.endsWith('.py'),
  );
  const open = (state?.findings ?? []).filter(
    (finding) => finding.resolvedInRound === null && isBlocking(finding),
  );
  return [
    ...useless.map(({ behaviour }) => `it ended complete on "${behaviour.name}"`),
    ...planned.filter((path) => !texts.has(path)).map((path) => `complete without ${path}`),
    ...faulty.map((fault) => `complete, but ${fault}`),
    ...steering.map(([path]) => `complete, but ${path} holds control characters`),
    ...open.map(({ message }) => `complete, but ${message}`),
    ...(blueprint?.requirements.some(({ scope }) => scope !== 'excluded')
      ? []
      : ['complete without any requirement']),
  ];
}

/** Without these a run has nothing to show; analyses, settings, critics and notes it can do without. */
const NEEDED: ReadonlySet<string> = new Set(['requirements', 'files', 'executor']);

function badSentence(reason: string): string[] {
  if (reason === '') return [];
  const isSentence =
    /^\p{Lu}[\s\S]*[.!?]$/u.test(reason) && !/undefined|\[object|\n\s+at /.test(reason);
  return [
    ...(isSentence ? [] : [`no sentence: ${reason.slice(0, 200)}`]),
    ...tooLarge('a reason', reason.length, MOST_REASON),
  ];
}

/** Control characters other than tab and line feed. */
function steersTerminal(text: string): boolean {
  return /[^\P{Cc}\t\n]/u.test(text);
}

function badPaths({ texts }: HostileRun): string[] {
  const paths = [...texts.keys()];
  const clash = clashingPaths(paths);
  return [
    ...paths.flatMap((path) => {
      const problem = pathProblem(path);
      return problem ? [`${path} ${problem}`] : [];
    }),
    ...(clash ? [`${clash.join(' and ')} cannot stand side by side`] : []),
    ...paths
      .filter((path) => path.split('/').some((part) => Buffer.byteLength(part) > 255))
      .map((path) => `${path} has a name that no disk takes`),
  ];
}

function tooLarge(what: string, size: number, most: number): string[] {
  return size <= most ? [] : [`${what} has ${size} characters, more than ${most}`];
}

/** Eight questions of three tries; three rounds of each file, each of three turns and eight more; two notes a file. */
function mostCalls({ blueprint }: HostileRun): number {
  return 24 + (blueprint?.files.length ?? 0) * (3 * 11 + 3 * 3);
}
