import { PaperUnreadable } from '../domain/errors.ts';

/** More text than this is no paper, and would not fit a model. */
export const LARGEST_TEXT_BYTES = 2_000_000;
/** How much of a file is looked at to tell what it is. */
const HEAD_BYTES = 4_096;
/** In a text of any language in one byte a character, control characters are rare. */
const MOST_CONTROL_SHARE = 0.002;

/**
 * The text of a file: without byte order mark, line ends as `\n`, in NFC. Throws `PaperUnreadable` for what is not
 * text, is empty or too long.
 */
export function decodeSource(name: string, bytes: Uint8Array): { text: string; notices: string[] } {
  if (bytes.length === 0) throw unreadable(name, 'is empty', 'Give a file that holds the paper.');
  refuseKnownForms(name, bytes);
  const { text, notices } = decode(name, bytes);
  if (bytes.length > LARGEST_TEXT_BYTES) {
    const megabytes = (bytes.length / 1_000_000).toFixed(1);
    throw unreadable(
      name,
      `holds ${megabytes} MB of text`,
      'A paper may have 2 MB: cut what does not belong to it.',
    );
  }
  const clean = text
    .replace(/\r\n?/g, '\n')
    .replace(/\f/g, '\n')
    .replace(/[\u0001-\u0008\u000b\u000e-\u001f\u007f\ufeff]/g, '')
    .normalize('NFC');
  if (clean.trim() === '') {
    throw unreadable(name, 'holds nothing but white space', 'Give a file that holds the paper.');
  }
  if (isHtml(name, clean) && /\.pdf$/i.test(name)) {
    throw unreadable(
      name,
      'is a web page (HTML) and no PDF',
      'Open it in a browser: it may ask you to log in or to confirm the download; then give the PDF itself.',
    );
  }
  if (isHtml(name, clean)) {
    throw unreadable(
      name,
      'is HTML, which is not read yet',
      'Convert it to Markdown, for example with pandoc.',
    );
  }
  return { text: clean, notices };
}

/** One sentence: what, which file, what to do. */
export function unreadable(name: string, problem: string, remedy: string): PaperUnreadable {
  return new PaperUnreadable(`The paper ${JSON.stringify(name)} ${problem}. ${remedy}`);
}

function refuseKnownForms(name: string, bytes: Uint8Array): void {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const archive = 'Unpack it and give the Markdown, text or single LaTeX file inside.';
  if (head.startsWith('\x1f\x8b')) throw unreadable(name, 'is a gzip archive', archive);
  if (head.startsWith('PK\x03\x04') || head.startsWith('\xd0\xcf\x11\xe0')) {
    const isOffice =
      /\.(?:docx?|odt|pptx?)$/i.test(name) || head.includes('word/') || head.startsWith('\xd0');
    const word = 'Convert it to Markdown, for example with `pandoc paper.docx -o paper.md`.';
    throw isOffice
      ? unreadable(name, 'is a word processor document, which is not read yet', word)
      : unreadable(name, 'is a zip archive', archive);
  }
  if (head.startsWith('{\\rtf') || head.startsWith('%!PS')) {
    const form = head.startsWith('{') ? 'RTF' : 'PostScript';
    throw unreadable(
      name,
      `is ${form}, which is not read`,
      'Convert it to Markdown, text or LaTeX.',
    );
  }
}

function decode(name: string, bytes: Uint8Array): { text: string; notices: string[] } {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  if (isLittle || isBig) {
    const text = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes);
    if (!text.includes('\0')) return { text, notices: [`${name} was read as UTF-16.`] };
  }
  if (bytes.includes(0)) throw binary(name);
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), notices: [] };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    const controls = text.match(/[\u0001-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g)?.length ?? 0;
    const foreign = text.match(/[^\u0001-\u007f]/g)?.length ?? 0;
    const isText = controls <= text.length * MOST_CONTROL_SHARE && foreign <= text.length * 0.3;
    if (!isText) throw binary(name);
    return {
      text,
      notices: [`${name} is not UTF-8: it was read as Latin-1, so check its accents and symbols.`],
    };
  }
}

function binary(name: string): PaperUnreadable {
  if (/\.pdf$/i.test(name))
    return unreadable(name, 'is no PDF, or a damaged one', 'Download it again, or export it anew.');
  return unreadable(
    name,
    'is binary, not text',
    'Give the paper as PDF, or as Markdown, text or LaTeX in UTF-8.',
  );
}

function isHtml(name: string, text: string): boolean {
  const head = text.slice(0, HEAD_BYTES).trimStart();
  return (
    /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(
      head,
    ) ||
    (/\.x?html?$/i.test(name) && /<(?:html|body|div|p|h1)\b/i.test(head))
  );
}
