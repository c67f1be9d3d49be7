// The PDF program: a PDF on standard input, one JSON value on standard output. It runs in a process of its own,
// because a PDF can be hostile: whatever it does to time and memory, it does here.
//   node pdf-main.js [JSON of places to make pictures of]
import { buffer } from 'node:stream/consumers';
import { answerPdf } from './pdf-answer.ts';
import { watchMemory } from './pdf-memory.ts';

watchMemory();
const answer = await answerPdf(new Uint8Array(await buffer(process.stdin)), process.argv[2]);
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
