import { fileURLToPath } from 'node:url';
import type { FigurePlace } from '../domain/paper.ts';
import type { Draft } from './blocks.ts';
import { unreadable } from './decode-source.ts';
import { MOST_MEMORY_MB } from './pdf-memory.ts';
import { PdfReply } from './pdf-reply.ts';

/** A module of ours to be run by Node in a process of its own. */
export interface ModuleRequest {
  readonly modulePath: string;
  readonly nodeOptions: readonly string[];
  readonly args: readonly string[];
  readonly input: Uint8Array;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
}

/** How it ended. */
export interface ModuleResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly outputCut: boolean;
  readonly started: boolean;
  readonly failure: string;
}

/** Runs a module; handed in, because papers start no processes. */
export type RunModule = (request: ModuleRequest) => Promise<ModuleResult>;

/** A picture of a place in a PDF. */
export type Picture = Readonly<{ png: Uint8Array; width: number; height: number }>;

/** Reads PDFs in processes of their own. Both throw `PaperUnreadable`, or the signal's reason when it aborts. */
export interface PdfReader {
  draft(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<Draft>;
  /** One picture a place; undefined where a place is not in the PDF. */
  pictures(
    name: string,
    bytes: Uint8Array,
    places: readonly FigurePlace[],
    signal?: AbortSignal,
  ): Promise<(Picture | undefined)[]>;
}

/** A paper has a few; those with more hold photographs that no text is read from. */
const LARGEST_PDF_BYTES = 50_000_000;
/** A page takes a tenth of a second, the most pages 40 s, and other work may slow it down. */
const READ_TIMEOUT_MS = 120_000;
const MOST_OUTPUT_BYTES = 100_000_000;
/** Where the end mark of a PDF is looked for: some programs write more behind it. */
const TAIL_BYTES = 65_536;

/** Whether bytes are a PDF, whatever their name. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 1_024)).includes('%PDF-');
}

/** A reader that starts the PDF program with `runModule`. */
export function createPdfReader(runModule: RunModule): PdfReader {
  async function ask(
    name: string,
    bytes: Uint8Array,
    args: readonly string[],
    signal?: AbortSignal,
  ): Promise<PdfReply> {
    checkBytes(name, bytes);
    const result = await runModule({
      modulePath: modulePath(),
      nodeOptions: [`--max-old-space-size=${MOST_MEMORY_MB}`],
      args,
      input: bytes,
      timeoutMs: READ_TIMEOUT_MS,
      maxOutputBytes: MOST_OUTPUT_BYTES,
      ...(signal && { signal }),
    });
    signal?.throwIfAborted();
    const reply = replyOf(name, result);
    if (reply.kind === 'refusal') throw unreadable(name, reply.problem, reply.remedy);
    return reply;
  }

  return {
    async draft(name, bytes, signal) {
      const reply = await ask(name, bytes, [], signal);
      if (reply.kind !== 'draft') throw new Error('The PDF program answered something else.');
      const { title, blocks, notices } = reply;
      return { form: 'pdf', title, blocks, names: new Map(), notices };
    },
    async pictures(name, bytes, places, signal) {
      const reply = await ask(name, bytes, [JSON.stringify(places)], signal);
      if (reply.kind !== 'pictures') throw new Error('The PDF program answered something else.');
      const byIndex = new Map(reply.pictures.map((picture) => [picture.index, picture]));
      return places.map((_, index) => {
        const found = byIndex.get(index);
        return found && { ...found, png: Buffer.from(found.png, 'base64') };
      });
    },
  };
}

function checkBytes(name: string, bytes: Uint8Array): void {
  if (bytes.length > LARGEST_PDF_BYTES)
    throw unreadable(
      name,
      `has ${(bytes.length / 1_000_000).toFixed(0)} MB; PDFs of at most 50 MB are read`,
      'Make its images smaller, or give its LaTeX source.',
    );
  if (!Buffer.from(bytes.subarray(-TAIL_BYTES)).includes('%%EOF'))
    throw unreadable(
      name,
      'is cut off: a PDF has an end mark, and it has none',
      'Download it again.',
    );
}

function replyOf(name: string, result: ModuleResult): PdfReply {
  const { exitCode, stdout, stderr, timedOut, outputCut, started, failure } = result;
  const give = 'Print it to a new PDF, or give its LaTeX source.';
  if (timedOut) throw unreadable(name, `took more than ${READ_TIMEOUT_MS / 1_000} s to read`, give);
  if (outputCut) throw unreadable(name, 'unpacks to more than any paper holds', give);
  if (/out of memory|heap limit/i.test(stderr))
    throw unreadable(name, `needs more than ${MOST_MEMORY_MB} MB to read`, give);
  // Killed from outside, or no memory to start: not the paper's fault, so that it is tried again.
  if (!started || exitCode === null) throw new Error(`The PDF program failed: ${failure}`);
  if (exitCode !== 0) throw unreadable(name, 'is a PDF that broke its reader', give);
  return PdfReply.parse(JSON.parse(stdout));
}

function modulePath(): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`./pdf-main.${extension}`, import.meta.url));
}
