import type { MemoryEntry } from './memory.ts';
import { isSameRef } from './ref.ts';
import type { Note } from './round.ts';
import type { RunState } from './run-state.ts';

/** M_{t+1}: notes folded in, and nothing kept that describes another content than the tree holds. */
export function foldNotes(state: RunState, notes: readonly Note[]): RunState {
  const memory = Object.entries(withNotes(state.memory, notes)).filter(([path, { file }]) =>
    isSameRef(state.tree[path], file),
  );
  return { ...state, memory: Object.fromEntries(memory) };
}

/** Notes on a content that has been replaced since are dropped: memory never describes a file that is not there. */
function withNotes(memory: RunState['memory'], notes: readonly Note[]): RunState['memory'] {
  const fresh = notes.filter((note) => isSameRef(memory[note.path]?.file, note.file));
  const entries = fresh.map(({ path, text }): [string, MemoryEntry] => {
    const entry = memory[path];
    if (!entry) throw new Error(`Memory holds no entry for "${path}".`);
    return [path, { ...entry, notes: text ? { kind: 'noted', text } : { kind: 'unavailable' } }];
  });
  return { ...memory, ...Object.fromEntries(entries) };
}
