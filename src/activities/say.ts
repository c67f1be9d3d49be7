import { eventOf, type Fact } from '../domain/event.ts';
import type { Deps } from './deps.ts';

/** Appends one fact to the run's events. Saying it twice is harmless: readers drop repeats. */
export async function say({ folders, now }: Deps, run: string, fact: Fact): Promise<void> {
  await folders.append(run, eventOf(fact, now().toISOString()));
}
