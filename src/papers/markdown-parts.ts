import { readLatexFragment } from './read-latex.ts';
import { endParagraph } from './markdown-scan.ts';
import type { Scan } from './markdown-scan.ts';

/** LaTeX that Markdown papers and converters of PDF use as blocks. */
const LATEX_BLOCK =
  /^\s*\\begin\{(equation|align|gather|multline|eqnarray|displaymath|flalign|alignat|tabular|tabularx|table|figure|algorithm|algorithmic|itemize|enumerate|description|abstract|longtable|theorem|lemma|proof)\*?\}/;
const LATEX_COMMAND =
  /^\s*\\(title|author|date|footnotetext|footnote|caption|captionsetup)(?:\[[^\]]*\])?\{/;
const IMAGE = /^\s*!\[([^\]]*)\]\(([^)]*)\)(?:\{([^}]*)\})?[ \t]*$/;
const DELIMITER_ROW = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
/** An equation of more lines was never closed. */
const MOST_EQUATION_LINES = 120;

/** Display maths in `$$` or `\\[`; false when the line starts none, or none that ends. */
export function takeMaths(scan: Scan, line: string): boolean {
  const start = line.trimStart();
  const [open, close] = start.startsWith('$$')
    ? ['$$', '$$']
    : start.startsWith('\\[')
      ? ['\\[', '\\]']
      : ['', ''];
  if (open === '') return false;
  const first = start.slice(open.length);
  if (first.includes(close)) return pushMaths(scan, [first], close, scan.at);
  const inside = [first];
  const lastLine = Math.min(scan.lines.length, scan.at + MOST_EQUATION_LINES);
  for (let end = scan.at + 1; end < lastLine; end += 1) {
    const next = scan.lines[end] ?? '';
    inside.push(next);
    if (next.includes(close)) return pushMaths(scan, inside, close, end);
    if (next.trim() === '' && (scan.lines[end + 1] ?? '').trim() === '') break;
  }
  scan.notices.add(`An equation that ${open} opens is never closed: it was read as text.`);
  return false;
}

function pushMaths(scan: Scan, inside: readonly string[], close: string, end: number): boolean {
  const all = inside.join('\n');
  const closeAt = all.indexOf(close);
  const after = all.slice(closeAt + close.length).trim();
  const labels: string[] = [];
  const attribute = /^\{#([^\s}]+)\}/.exec(after);
  if (attribute?.[1] !== undefined) labels.push(attribute[1]);
  const latex = all
    .slice(0, closeAt)
    .replace(/\\label\s*\{([^{}]*)\}/g, (_, label: string) => {
      labels.push(label);
      return '';
    })
    .replace(/\n[ \t]*(?=\n)/g, '')
    .trim();
  endParagraph(scan);
  scan.blocks.push({
    kind: 'equation',
    title: labels[0] ?? '',
    body: `$$\n${latex}\n$$`,
    labels,
    indent: '',
  });
  const rest = after.slice(attribute?.[0].length ?? 0).trim();
  if (rest !== '' && !/^[.,;]$/.test(rest)) scan.paragraph.push(rest);
  scan.at = end + 1;
  return true;
}

/** A pipe table or an HTML table. */
export function takeTable(scan: Scan, line: string): boolean {
  if (/^\s*<table\b/i.test(line)) return takeHtmlTable(scan);
  const below = scan.lines[scan.at + 1] ?? '';
  if (!line.includes('|') || !below.includes('-') || !DELIMITER_ROW.test(below)) return false;
  let end = scan.at + 2;
  while (end < scan.lines.length && (scan.lines[end] ?? '').includes('|')) end += 1;
  pushTable(scan, end);
  return true;
}

function takeHtmlTable(scan: Scan): boolean {
  if (scan.unclosed.has('<table')) return false;
  for (let end = scan.at; end < scan.lines.length; end += 1) {
    if (!/<\/table>/i.test(scan.lines[end] ?? '')) continue;
    pushTable(scan, end + 1);
    return true;
  }
  scan.unclosed.add('<table');
  return false;
}

function pushTable(scan: Scan, end: number): void {
  endParagraph(scan);
  const body = scan.lines.slice(scan.at, end).join('\n');
  scan.blocks.push({ kind: 'table', title: '', body, labels: [], indent: '' });
  scan.at = end;
}

/** An image on a line of its own; further ones without words of their own are panels of the same figure. */
export function takeImage(scan: Scan, line: string): boolean {
  const image = IMAGE.exec(line);
  if (image === null) return false;
  endParagraph(scan);
  const label = /#([^\s}]+)/.exec(image[3] ?? '')?.[1];
  const files = [image[2] ?? ''];
  const title = (image[1] ?? '').trim();
  let end = scan.at + 1;
  for (let next = end; title === '' && next < scan.lines.length; next += 1) {
    const panel = IMAGE.exec(scan.lines[next] ?? '');
    if (panel !== null && (panel[1] ?? '').trim() === '') {
      files.push(panel[2] ?? '');
      end = next + 1;
    } else if (!/^\s*(?:\$\\q?quad\$)?\s*$/.test(scan.lines[next] ?? '')) break;
  }
  const body = files.map((file) => `![](${file})`).join('\n');
  scan.blocks.push({
    kind: 'figure',
    title,
    body,
    labels: label === undefined ? [] : [label],
    indent: '',
  });
  scan.at = end;
  return true;
}

/** A LaTeX environment or command that stands in the Markdown as a block. */
export function takeLatex(scan: Scan, line: string): boolean {
  const environment = LATEX_BLOCK.exec(line)?.[0]?.trim();
  const end =
    environment !== undefined ? endOfEnvironment(scan, environment) : endOfCommand(scan, line);
  if (end === undefined) return false;
  endParagraph(scan);
  const draft = readLatexFragment(scan.lines.slice(scan.at, end).join('\n'));
  if (draft.title !== '') scan.title ||= draft.title;
  for (const block of draft.blocks) {
    // Levels of LaTeX start at the part; those of Markdown here at the chapter.
    scan.blocks.push(block.kind === 'heading' ? { ...block, level: block.level - 1 } : block);
  }
  for (const [label, words] of draft.names) scan.names.set(label, words);
  for (const notice of draft.notices) scan.notices.add(notice);
  scan.at = end;
  return true;
}

function endOfEnvironment(scan: Scan, begin: string): number | undefined {
  if (scan.unclosed.has(begin)) return undefined;
  const close = begin.replace('\\begin', '\\end');
  let depth = 0;
  for (let end = scan.at; end < scan.lines.length; end += 1) {
    const line = scan.lines[end] ?? '';
    depth += line.split(begin).length - line.split(close).length;
    if (depth <= 0) return end + 1;
  }
  scan.unclosed.add(begin);
  return undefined;
}

/** A command whose braces close within its paragraph, or within a few lines of one. */
function endOfCommand(scan: Scan, line: string): number | undefined {
  if (!LATEX_COMMAND.test(line)) return undefined;
  const lastLine = Math.min(scan.lines.length, scan.at + 40);
  let depth = 0;
  for (let end = scan.at; end < lastLine; end += 1) {
    for (const brace of (scan.lines[end] ?? '').match(/(?<!\\)[{}]/g) ?? [])
      depth += brace === '{' ? 1 : -1;
    if (depth <= 0) return end + 1;
  }
  return undefined;
}
