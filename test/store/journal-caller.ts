// Asks a journal for one key when told to, and "calls" when it may: appends its number to a file, waits, and answers.
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { anEntry, aMarker, SEED } from './journal-values.ts';

const [folder = '', calls = '', key = '', behaviour = ''] = process.argv.slice(2);
const journal = createFolderJournal(folder);

process.send?.('ready');
await once(process, 'message');
for (;;) {
  const opening = await journal.open(SEED, aMarker(key));
  if (opening.kind === 'answered') {
    process.send?.({ label: opening.entry.label, lost: opening.lost.length });
    break;
  }
  if (opening.kind === 'open') {
    appendFileSync(calls, `${process.pid}\n`);
    if (behaviour === 'die') process.exit(1);
    await pause(30);
    await opening.call.close(anEntry(key, { label: `answered by ${process.pid}` }));
  } else {
    await pause(5);
  }
}
process.disconnect();
