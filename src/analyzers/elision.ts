import type { ParseProblem } from '../diagnostics/parsed-file.ts';

const WHAT =
  '(code|class(es)?|methods?|functions?|imports?|implementation|logic|file|module|script|content|definitions?|sections?|entries|fields|parameters)';
const FATE =
  '(unchanged|omitted|truncated|as before|the same|remains?|stays?|goes here|go here|here|continues?|for brevity|not shown|elided)';

/** How a comment says that code was left out; each pattern sees the comment without its mark. */
const ELISIONS: readonly RegExp[] = [
  new RegExp(
    `^(\\.{3}|…)\\s*[[(<]?\\s*(the |all |and )*(rest|remaining|remainder|existing|previous|omitted|unchanged|truncated|continued?|same as|as before|similar|more ${WHAT}|other ${WHAT}|additional ${WHAT}|your ${WHAT}|${WHAT})\\b`,
    'i',
  ),
  new RegExp(
    `^[[(<]?\\s*(the )?(rest|remainder)( of (the |this )?([\\w.]+ )?${WHAT})?\\s*(is |are |remains? |stays? |goes |go )?${FATE}`,
    'i',
  ),
  new RegExp(
    `^[[(<]?\\s*(the )?(remaining|existing|previous|other) ${WHAT}( \\w+)? (is |are )?${FATE}`,
    'i',
  ),
  /^[[(<]?\s*(the )?(rest|remainder) of (the |this )?(code|file|class|module|script|implementation)\s*(\.{3}|…)?\s*[\])>]?$/i,
  /^[[(<]\s*(code |output |file )?(truncated|omitted for brevity|continued)\s*[\])>]$/i,
  new RegExp(`^${WHAT} (omitted|truncated|elided)( for brevity)?\\b`, 'i'),
];

/** Comments such as `# ... rest of the code`, by which a writer leaves out what the file should hold. */
export function findElision(text: string): ParseProblem | undefined {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const comment = /^\s*(?:#+|\/\/)\s*(.*?)\s*$/.exec(line)?.[1];
    if (comment === undefined || !ELISIONS.some((pattern) => pattern.test(comment))) continue;
    return elision(index + 1, line);
  }
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const ending = lines[last] ?? '';
  const isBare = /^\s*#+\s*(\.{3}|…)\s*$/.test(ending);
  return isBare && !/^\s*#/.test(lines[last - 1] ?? '') ? elision(last + 1, ending) : undefined;
}

function elision(line: number, source: string): ParseProblem {
  const quoted = source.trim().slice(0, 60);
  return { kind: 'cut-off', line, message: `the comment "${quoted}" stands in place of code` };
}
