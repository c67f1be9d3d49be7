// The PDF program: a PDF on standard input, one JSON value on standard output. It runs in a process of its own,
// because a PDF can be hostile: whatever it does to time and memory, it does here.
//   node pdf-main.js [JSON of places to make pictures of]
import { buffer } from 'node:stream/consumers';
import { watchMemory } from './pdf-memory.ts';

watchMemory();
// Else the canvas, which pdfjs loads, reads every font of the machine; pictures are drawn with those of the PDF alone.
process.env['DISABLE_SYSTEM_FONTS_LOAD'] = '1';
const { answerPdf } = await import('./pdf-answer.ts');
const answer = await answerPdf(new Uint8Array(await buffer(process.stdin)), process.argv[2]);
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
