// One process of a clone at a time. The same idea as src/store/lock.ts, which is not built yet when this is needed:
// each holder creates the next generation, and the highest generation is never removed, so that it never goes back.
import { linkSync, mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/** Runs `work` while this process alone holds the lock that is kept in `folder`. */
export async function withLock(folder, work) {
  mkdirSync(folder, { recursive: true });
  let generation = tryTake(folder);
  if (generation === undefined)
    console.error('Waiting for another process that prepares this clone …');
  while (generation === undefined) {
    await sleep(POLL_MS);
    generation = tryTake(folder);
  }
  try {
    return await work();
  } finally {
    // Emptied, not removed.
    writeFileSync(join(folder, `${generation}`), '');
  }
}

function tryTake(folder) {
  const highest = generations(folder).at(-1) ?? 0;
  if (highest > 0 && isHeld(join(folder, `${highest}`))) return undefined;
  const mine = highest + 1;
  if (!create(folder, mine)) return undefined;
  const all = generations(folder);
  if (all.at(-1) !== mine) {
    remove(join(folder, `${mine}`));
    return undefined;
  }
  for (const older of all.filter((other) => other < mine)) remove(join(folder, `${older}`));
  return mine;
}

function generations(folder) {
  const numbers = readdirSync(folder).filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).sort((a, b) => a - b);
}

function isHeld(path) {
  const pid = Number(read(path));
  if (pid === 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** A link makes name and content appear in one step. */
function create(folder, generation) {
  const temporary = join(folder, `.${process.pid}.tmp`);
  writeFileSync(temporary, `${process.pid}`);
  try {
    linkSync(temporary, join(folder, `${generation}`));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    remove(temporary);
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function remove(path) {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else has removed it.
  }
}
