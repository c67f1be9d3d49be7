import { createHash } from 'node:crypto';
import type { Check } from '../domain/check.ts';
import type { KeeperPorts } from './ports.ts';

/** Values read back to see whether the disk still gives what it was given. */
const SAMPLE = 200;

/** Whether runs, journals and a sample of the store can be read and are what they were. */
export async function checkData(ports: KeeperPorts): Promise<Check[]> {
  return [await checkRuns(ports), await checkJournals(ports), await checkStore(ports)];
}

async function checkRuns({ folders }: KeeperPorts): Promise<Check> {
  const names = await folders.names();
  const results = await Promise.allSettled(names.map((name) => folders.read(name)));
  const broken = names.filter((_, index) => results[index]?.status === 'rejected');
  return checked('runs', `${names.length} ${names.length === 1 ? 'run' : 'runs'}`, broken);
}

async function checkJournals({ journal }: KeeperPorts): Promise<Check> {
  const seeds = await journal.seeds();
  const results = await Promise.allSettled(seeds.map((seed) => journal.entries(seed)));
  const replies = results.reduce(
    (sum, each) => sum + (each.status === 'fulfilled' ? each.value.length : 0),
    0,
  );
  const broken = seeds.filter((_, index) => results[index]?.status === 'rejected');
  return checked('journal', `${replies} replies kept`, broken);
}

async function checkStore({ keeper }: KeeperPorts): Promise<Check> {
  const values = await keeper.list();
  const step = Math.max(1, Math.floor(values.length / SAMPLE));
  const sample = values.filter((_, index) => index % step === 0).slice(0, SAMPLE);
  const broken: string[] = [];
  for (const { sha256 } of sample) {
    const text = await keeper.text(sha256);
    const bytes = Buffer.from(text ?? '', 'latin1');
    if (text !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256)
      broken.push(sha256.slice(0, 12));
  }
  const megabytes = values.reduce((sum, { bytes }) => sum + bytes, 0) / 1024 / 1024;
  return checked(
    'store',
    `${values.length} values, ${megabytes.toFixed(1)} MiB; ${sample.length} read back`,
    broken,
  );
}

function checked(name: string, found: string, broken: readonly string[]): Check {
  if (broken.length === 0) return { name, result: 'good', found, remedy: '' };
  return {
    name,
    result: 'bad',
    found: `${found}; damaged: ${broken.slice(0, 5).join(', ')}${broken.length > 5 ? ', …' : ''}`,
    remedy: 'Restore them from a copy of the data folder.',
  };
}
