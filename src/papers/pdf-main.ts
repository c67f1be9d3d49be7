// The PDF program: a PDF on standard input, one JSON value on standard output. It runs in a process of its own,
// because a PDF can be hostile: whatever it does to time and memory, it does here.
//   node pdf-main.js [JSON of places to make pictures of]
import { buffer } from 'node:stream/consumers';
import { draftOfPdf } from './pdf-draft.ts';
import { extractPdf, openPdf } from './pdf-extract.ts';
import { watchMemory } from './pdf-memory.ts';
import { refusalOfError, refusalOfPages, refusalOfText } from './pdf-refusals.ts';
import { renderPlaces } from './pdf-render.ts';
import { PdfPlaces, type PdfReply } from './pdf-reply.ts';

watchMemory();
const places = process.argv[2];
const answer = await answerTo(new Uint8Array(await buffer(process.stdin)));
process.stdout.write(JSON.stringify(answer), () => process.exit(0));

async function answerTo(bytes: Uint8Array): Promise<PdfReply> {
  try {
    const document = await openPdf(bytes);
    const tooMany = refusalOfPages(document.numPages);
    if (tooMany) return tooMany;
    if (places !== undefined)
      return {
        kind: 'pictures',
        pictures: await renderPlaces(document, PdfPlaces.parse(JSON.parse(places))),
      };
    const source = await extractPdf(document);
    const { title, blocks, notices } = draftOfPdf(source);
    const shown = blocks.map((block) =>
      block.kind === 'text' || block.kind === 'heading'
        ? block
        : { ...block, labels: [...block.labels] },
    );
    return (
      refusalOfText(source.pages) ?? { kind: 'draft', title, blocks: shown, notices: [...notices] }
    );
  } catch (error) {
    return refusalOfError(error);
  }
}
