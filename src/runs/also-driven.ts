import type { RunPorts } from './ports.ts';
import { isAt } from './read-status.ts';
import { within } from './within.ts';

/** What is told in passing must not hold up a start. */
const DESCRIBE_TIMEOUT_MS = 1000;

/** Other runs that have not ended and that this engine drives as well, paused ones left out. */
export async function alsoDriven(ports: RunPorts, name: string): Promise<readonly string[]> {
  const engine = await ports.engine();
  const others = (await ports.folders.names()).filter((other) => other !== name);
  const driven = others.map(async (other) => {
    const record = await ports.folders.read(other).catch(() => undefined);
    if (!record || record.outcome !== null || record.paused) return false;
    if (!isAt(record.temporal, engine.place)) return false;
    const run = await within(DESCRIBE_TIMEOUT_MS, engine.describe(other, DESCRIBE_TIMEOUT_MS));
    return run.kind === 'done' && run.value?.isRunning === true;
  });
  const flags = await Promise.all(driven);
  return others.filter((_, index) => flags[index]);
}
