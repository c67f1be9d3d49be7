import { isTooMuch, workOf, type Work } from '../../src/domain/round-work.ts';

/** A planned file as the planner's request lists it, or a written one with a finding that can be repaired. */
interface Listed {
  readonly path: string;
  readonly lines: number;
  readonly owned: number;
  readonly waitsFor: readonly string[];
  readonly isRepair: boolean;
}

/**
 * What a dutiful planner answers to the request for a round: the files in the order shown, which is that of their
 * dependencies, as many as make up one round's work; `tell` says what each is told.
 */
export function fillRound(prompt: string, tell: (path: string) => readonly string[]): string {
  const chosen: string[] = [];
  let work: Work = { lines: 0, owned: 0 };
  const listed = listedFiles(prompt);
  for (const { path, lines, owned, waitsFor, isRepair } of listed) {
    const file = { path, expectedLines: lines, owns: Array.from({ length: owned }, () => 'R') };
    const own = workOf(
      { ...file, purpose: '', needs: [], signatures: '', instructions: '' },
      isRepair,
    );
    const sum = { lines: work.lines + own.lines, owned: work.owned + own.owned };
    const isFree = own.lines === 0 && own.owned === 0;
    if (isTooMuch(sum) && !isFree && chosen.length > 0) continue;
    if (waitsFor.some((need) => !chosen.includes(need))) continue;
    chosen.push(path);
    work = sum;
  }
  const targets = chosen.flatMap((path) => [`@target ${path}`, ...tell(path)]);
  return ['@round', 'rationale: What comes next.', 'wrong: none', ...targets, '@done'].join('\n');
}

function listedFiles(prompt: string): Listed[] {
  const found = new Set([...prompt.matchAll(/^- (\S+): blocking, /gm)].map(([, path]) => path));
  const rows = [...prompt.matchAll(/^- (\S+): (planned|written)\b([^\n]*)$/gm)];
  return rows.flatMap(([, path = '', status, facts = '']) => {
    const isRepair = status === 'written';
    if (isRepair && (!found.has(path) || facts.includes('no repairs left'))) return [];
    const number = (pattern: RegExp): number => Number(pattern.exec(facts)?.[1] ?? 0);
    const waitsFor = /waits for ([^;]*)/.exec(facts)?.[1]?.split(', ') ?? [];
    const work = { lines: number(/(\d+) lines/), owned: number(/owns (\d+)/) };
    return [{ path, ...work, waitsFor, isRepair }];
  });
}
