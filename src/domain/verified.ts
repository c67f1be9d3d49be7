import type { Blueprint } from './blueprint.ts';
import { requirementsInScope } from './blueprint-audit.ts';
import type { Problem } from './finding.ts';
import { ownersOf } from './owners.ts';
import type { Tree } from './tree.ts';
import { stands, type RequirementVerdict, type Verification } from './verification.ts';

/** The part of S_t that knows verdicts. */
interface Verified {
  readonly tree: Tree;
  readonly requirementVerdicts?: readonly RequirementVerdict[];
}

/** What a demand is known to be: as a standing verdict says, or not known. */
export type Standing = RequirementVerdict['verdict'] | 'unverified';

/** Ids that one finding names besides its own. */
const MOST_OTHERS = 12;

/** A state that knows what a verification found: on each requirement the newest verdict, in the order of their ids. */
export function withVerdicts<State extends Verified>(
  state: State,
  { requirements }: Pick<Verification, 'requirements'>,
): State {
  const known = [...(state.requirementVerdicts ?? []), ...requirements];
  const newest = new Map(known.map((verdict) => [verdict.id, verdict]));
  const requirementVerdicts = [...newest.values()].sort(
    (one, other) => numberOf(one.id) - numberOf(other.id),
  );
  return { ...state, requirementVerdicts };
}

/** The verdicts whose files are all still as they were read, by requirement. */
export function standingVerdicts(state: Verified): ReadonlyMap<string, RequirementVerdict> {
  const standing = (state.requirementVerdicts ?? []).filter((each) => stands(each, state.tree));
  return new Map(standing.map((verdict) => [verdict.id, verdict]));
}

/**
 * What the verifier found unmet of what is in scope, as findings at the files that the fixes belong in. Ids that one
 * change would meet are one finding. One that was found on files that have changed since awaits verification.
 */
export function unmetProblems(
  state: Verified,
  blueprint: Pick<Blueprint, 'files' | 'requirements'>,
): Problem[] {
  const inScope = new Map(requirementsInScope(blueprint).map((each) => [each.id, each]));
  const causes = new Map<string, Unmet[]>();
  for (const verdict of state.requirementVerdicts ?? []) {
    const demand = inScope.get(verdict.id)?.demand;
    const path = placeOf(verdict, state.tree, blueprint);
    if (demand === undefined || verdict.verdict === 'met' || path === undefined) continue;
    const isStanding = stands(verdict, state.tree);
    const cause = `${path}\0${plain(verdict.fix) || verdict.id}\0${isStanding ? 'now' : 'then'}`;
    causes.set(cause, [...(causes.get(cause) ?? []), { verdict, demand, path, isStanding }]);
  }
  return [...causes.values()].flatMap((same) => problemOf(same));
}

/** What keeps a verified run from being whole, as counts for its outcome. */
export function verificationGaps(
  state: Verified,
  blueprint: Pick<Blueprint, 'requirements'>,
): { readonly unmet: number; readonly unverified: number } {
  const standing = standingVerdicts(state);
  const verdicts = requirementsInScope(blueprint).map(({ id }) => standing.get(id)?.verdict);
  return {
    unmet: verdicts.filter((verdict) => verdict === 'partly' || verdict === 'missing').length,
    unverified: verdicts.filter((verdict) => verdict === undefined).length,
  };
}

/** What is known of one requirement. */
export function standingOf(standing: ReturnType<typeof standingVerdicts>, id: string): Standing {
  return standing.get(id)?.verdict ?? 'unverified';
}

interface Unmet {
  readonly verdict: RequirementVerdict;
  readonly demand: string;
  readonly path: string;
  readonly isStanding: boolean;
}

function problemOf(same: readonly Unmet[]): Problem[] {
  const [first, ...others] = same;
  if (first === undefined) return [];
  const { verdict, demand, path, isStanding } = first;
  const also = others.map(({ verdict: { id } }) => id).slice(0, MOST_OTHERS);
  const more = others.length > also.length ? ` and ${others.length - also.length} more` : '';
  const found = verdict.found === '' ? 'nothing that does it' : verdict.found;
  const places = verdict.where.map((where) => `${where.path}:${where.line}`).join(', ');
  return [
    {
      kind: 'not-met',
      path,
      symbol: verdict.id,
      message: [
        `${verdict.id} (${demand}) is ${verdict.verdict === 'missing' ? 'not met' : 'met in part'}.`,
        `Expected: ${closed(verdict.expected || demand)}`,
        `Found: ${closed(places === '' ? found : `${found} (${places})`)}`,
        ...(verdict.reachedBy === '' ? ['No command reaches it.'] : []),
        ...(also.length > 0 ? [`The same change meets ${also.join(', ')}${more}.`] : []),
      ].join(' '),
      remedy:
        verdict.fix === ''
          ? 'Implement what is expected, so that a command reaches it.'
          : verdict.fix,
      ...(isStanding ? {} : { awaits: 'verification' as const }),
    },
  ];
}

/** Where a verdict's fix belongs: the named file, else an owner, else where the code was found; a file that exists or is planned. */
function placeOf(
  { id, fixIn, where }: RequirementVerdict,
  tree: Tree,
  { files }: Pick<Blueprint, 'files'>,
): string | undefined {
  const planned = new Set(files.map(({ path }) => path));
  const candidates = [
    ...(fixIn === null ? [] : [fixIn]),
    ...ownersOf(id, { files }),
    ...where.map(({ path }) => path),
  ];
  return candidates.find((path) => planned.has(path)) ?? candidates.find((path) => tree[path]);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s`'"]+/g, ' ')
    .replace(/[ .]+$/, '')
    .trim();
}

function closed(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function numberOf(id: string): number {
  return Number(id.slice(1));
}
