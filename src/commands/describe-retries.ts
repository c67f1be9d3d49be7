import { isLostWorker } from '../runs/failing-steps.ts';
import type { StatusReport } from '../runs/status-report.ts';

/** What a step is called where a person reads it; other types of steps are told in their own words. */
const NAMES: Readonly<Record<string, string>> = {
  takeTurn: 'write a file',
  applyTools: 'carry out a reply',
};

/** A lost worker is nobody's fault, and mended already. */
const LOST = 'its worker was gone; what it had done is kept';

/**
 * One line for each trouble that steps are tried again for, however many meet it: `analyse figures, try 7: …`. Steps in
 * their first attempt have none.
 */
export function describeRetries({ engine }: Pick<StatusReport, 'engine'>): string[] {
  const lines = new Map<string, { names: Set<string>; attempt: number }>();
  for (const { name, attempt, lastFailure } of engine.pending) {
    if (attempt < 2) continue;
    const failure = describeFailure(lastFailure);
    const line = lines.get(failure) ?? { names: new Set<string>(), attempt: 0 };
    line.names.add(nameOf(name));
    lines.set(failure, { ...line, attempt: Math.max(line.attempt, attempt) });
  }
  return [...lines].map(
    ([failure, { names, attempt }]) =>
      `${[...names].join(', ')}, try ${attempt}${failure === '' ? '' : `: ${failure}`}`,
  );
}

/** Why a step is tried again, in words for a person. */
export function describeFailure(failure: string): string {
  return isLostWorker(failure) ? LOST : failure;
}

/** `analyseFigures` is told as `analyse figures`, as the workflow does. */
function nameOf(type: string): string {
  return NAMES[type] ?? type.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
