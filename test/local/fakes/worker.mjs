// A worker that the supervisor's tests can watch: it says when it starts and ends, and takes its time to finish a call.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const home = process.env.DEEPREPRO_HOME;
const note = (fact) =>
  appendFileSync(
    join(home, 'worker-notes.jsonl'),
    `${JSON.stringify({ pid: process.pid, ...fact })}\n`,
  );

if (process.env.FAKE_WORKER_FAILS) {
  console.error('The fake worker was told to fail.');
  process.exit(7);
}
note({ kind: 'started', key: process.env.FAKE_KEY ?? null, address: process.env.TEMPORAL_ADDRESS });

const callMs = Number(process.env.FAKE_CALL_MS ?? '0');
let isEnding = false;
function finish(why) {
  if (isEnding) return;
  isEnding = true;
  setTimeout(() => {
    note({ kind: 'finished', why });
    process.exit(0);
  }, callMs);
}
process.on('SIGTERM', () => finish('asked'));
process.on('disconnect', () => finish('alone'));
setInterval(() => undefined, 1000);
process.send({ kind: 'ready' });
