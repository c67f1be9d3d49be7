// Claims the lock again and again until told to end, and reports whenever somebody alive is inside already.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/processes/kill-process.ts';
import { claim } from '../../src/store/lock.ts';

const folder = process.argv[2] ?? '';
const inside = join(folder, 'inside');

function readInside(): number {
  try {
    return Number(readFileSync(inside, 'utf8'));
  } catch {
    return 0;
  }
}

process.send?.('started');
for (;;) {
  const held = await claim(folder, 'lock');
  if ('heldBy' in held) {
    await sleep(1);
    continue;
  }
  const other = readInside();
  if (other !== 0 && isAlive(other)) appendFileSync(join(folder, 'violations'), `${other}\n`);
  writeFileSync(inside, `${process.pid}`);
  appendFileSync(join(folder, 'entries'), `${process.pid}\n`);
  await sleep(Math.random() * 4);
  if (readInside() !== process.pid) appendFileSync(join(folder, 'violations'), 'replaced\n');
  writeFileSync(inside, '0');
  await held.release();
}
