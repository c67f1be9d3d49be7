import type { LostCall, PaidReply } from './run-facts.ts';

/** What the calls of one stage or file came to. Amounts are in the unit of the run's budget. */
export interface Spend {
  readonly name: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  /** Includes `maybePaid`. */
  readonly spent: number;
  /** Worst cases of calls whose end nobody saw. */
  readonly maybePaid: number;
  /** From asking to the whole reply, added up; calls side by side count each. */
  readonly modelMs: number;
  /** ISO 8601; of the first call, and the end of the last reply. */
  readonly startedAt: string;
  readonly endedAt: string;
}

type Calls = { readonly replies: readonly PaidReply[]; readonly lost: readonly LostCall[] };

/** The stage that a call belongs to, read off its label. */
export function stageOf(label: string): string {
  const [first = '', second = ''] = label.split('/');
  if (/^r\d+$/.test(first)) return STAGES_OF_ROUNDS[second] ?? second;
  return STAGES[first] ?? first;
}

const STAGES: Readonly<Record<string, string>> = {
  analyse: 'analysis',
  requirements: 'requirements',
  plan: 'planning',
  remember: 'memory',
};

const STAGES_OF_ROUNDS: Readonly<Record<string, string>> = {
  plan: 'planning of rounds',
  write: 'writing',
};

/** The file that a call is about, or undefined. */
export function fileOf(label: string): string | undefined {
  return (
    /^r\d+\/write\/(.+)\/t\d+(?:\/|$)/.exec(label)?.[1] ??
    /^remember\/(.+)\/[0-9a-f]{12}(?:\/|$)/.exec(label)?.[1]
  );
}

/** By stage, in the order in which they began. */
export function spendByStage(calls: Calls): Spend[] {
  return grouped(calls, stageOf).sort((one, other) => (one.startedAt < other.startedAt ? -1 : 1));
}

/** By file, the dearest first; calls that are about no one file are left out. */
export function spendByFile(calls: Calls): Spend[] {
  return grouped(calls, fileOf).sort((one, other) => other.spent - one.spent);
}

function grouped({ replies, lost }: Calls, nameOf: (label: string) => string | undefined): Spend[] {
  const groups = new Map<string, Spend>();
  const add = (label: string, part: Omit<Spend, 'name'>) => {
    const name = nameOf(label);
    if (name !== undefined) groups.set(name, joined(groups.get(name), { name, ...part }));
  };
  for (const { label, usage, cost, startedAt, durationMs } of replies) {
    const { inputTokens, cachedTokens, outputTokens } = usage;
    const endedAt = new Date(Date.parse(startedAt) + durationMs).toISOString();
    const tokens = { inputTokens, cachedTokens, outputTokens };
    const money = { calls: 1, spent: cost, maybePaid: 0 };
    add(label, { ...tokens, ...money, modelMs: durationMs, startedAt, endedAt });
  }
  for (const { label, worstCost, startedAt } of lost) {
    const money = { calls: 1, spent: worstCost, maybePaid: worstCost };
    add(label, { ...NO_TOKENS, ...money, modelMs: 0, startedAt, endedAt: startedAt });
  }
  return [...groups.values()];
}

const NO_TOKENS = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

function joined(one: Spend | undefined, other: Spend): Spend {
  if (!one) return other;
  return {
    name: one.name,
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    spent: one.spent + other.spent,
    maybePaid: one.maybePaid + other.maybePaid,
    modelMs: one.modelMs + other.modelMs,
    startedAt: one.startedAt < other.startedAt ? one.startedAt : other.startedAt,
    endedAt: one.endedAt > other.endedAt ? one.endedAt : other.endedAt,
  };
}
