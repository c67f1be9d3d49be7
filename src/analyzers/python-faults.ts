import type { FileFault } from '../diagnostics/parsed-file.ts';
import { readFallbacks } from './python-fallbacks.ts';
import { readIgnoredInputs } from './python-ignored.ts';
import { readDroppedValues } from './python-dropped.ts';
import type { SyntaxNode } from './syntax-tree.ts';

/** What one Python file shows of code that looks finished and reproduces something else. Tests and stubs are left out. */
export function readFaults(root: SyntaxNode, text: string, path: string): FileFault[] {
  if (path.endsWith('.pyi') || /(^|\/)(tests?\/|test_[^/]*$|conftest\.py$)/.test(path)) return [];
  return [
    ...readFallbacks(root, text),
    ...readIgnoredInputs(root, text),
    ...readDroppedValues(root, text),
  ];
}
