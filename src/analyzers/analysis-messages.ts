import type { ParsedFile } from '../diagnostics/parsed-file.ts';
import type { Checked, KeyedFile, KeyedTree } from './analysis.ts';

/** What the analysis thread is asked, one request at a time. */
export type AnalysisRequest =
  | { readonly kind: 'parse'; readonly file: KeyedFile; readonly text: string }
  | { readonly kind: 'keep'; readonly key: string; readonly file: ParsedFile }
  | { readonly kind: 'check'; readonly tree: KeyedTree; readonly alone: boolean };

/** What it says: that it is ready, once; then one answer to each request. */
export type AnalysisReply =
  | { readonly kind: 'ready' | 'kept' }
  | { readonly kind: 'parsed'; readonly file: ParsedFile }
  | { readonly kind: 'checked'; readonly checked: Checked };
