import type { Analysis } from '../analyzers/analysis.ts';
import type { Pyright } from '../analyzers/pyright.ts';
import type { ModelReply } from '../domain/message.ts';
import type { Model } from '../models/model.ts';
import type { PdfReader } from '../papers/read-pdf.ts';
import type { Journal } from '../store/journal.ts';
import type { RunFolders } from '../store/run-folders.ts';
import type { Store } from '../store/store.ts';

/** What activities work with; the worker supplies the real ones, tests wrap them. */
export interface Deps {
  readonly store: Store;
  readonly journal: Journal;
  readonly folders: RunFolders;
  readonly model: Model;
  readonly analysis: Analysis;
  /** Types, in deepplan; null where nobody is to look at them. */
  readonly pyright: Pyright | null;
  readonly pdf: PdfReader;
  readonly now: () => Date;
  /** Replies that the disk refused, by journal key: the next attempt in this process saves them instead of paying again. */
  readonly unsaved: Map<string, ModelReply>;
}
