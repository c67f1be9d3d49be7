import type { Notebook } from './notebook.ts';

/** New settings take effect at a commit, so that no round mixes two, or where a call cannot be answered without them. */
export function applyPendingSettings(notebook: Notebook): void {
  if (!notebook.pendingSettings) return;
  notebook.settings = notebook.pendingSettings;
  notebook.pendingSettings = null;
  notebook.attempts += 1;
}
