import { draftOfPdf } from './pdf-draft.ts';
import { extractPdf, openPdf } from './pdf-extract.ts';
import { refusalOfError, refusalOfPages, refusalOfText } from './pdf-refusals.ts';
import { renderPlaces } from './pdf-render.ts';
import { PdfPlaces, type PdfReply } from './pdf-reply.ts';

/** What the PDF program answers: the draft of a paper, or pictures where `places` (JSON) are given. Never throws. */
export async function answerPdf(bytes: Uint8Array, places?: string): Promise<PdfReply> {
  try {
    const document = await openPdf(bytes, places === undefined ? 'text' : 'pictures');
    const tooMany = refusalOfPages(document.numPages);
    if (tooMany) return tooMany;
    if (places !== undefined) {
      const wanted = PdfPlaces.parse(JSON.parse(places));
      return { kind: 'pictures', pictures: await renderPlaces(document, wanted) };
    }
    const source = await extractPdf(document);
    const refusal = refusalOfText(source.pages);
    if (refusal) return refusal;
    const { title, blocks, notices } = draftOfPdf(source);
    const plain = blocks.map((block) =>
      'labels' in block ? { ...block, labels: [...block.labels] } : block,
    );
    return { kind: 'draft', title, blocks: plain, notices: [...notices] };
  } catch (error) {
    return refusalOfError(error);
  }
}
