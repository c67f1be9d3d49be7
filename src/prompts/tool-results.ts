import type { BlueprintFile } from '../domain/blueprint.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { counted } from '../domain/counted.ts';
import { partsById, searchPaper, textOfPart } from '../domain/paper-text.ts';
import { pathProblem } from '../domain/path.ts';
import { searchLines } from '../domain/search-lines.ts';
import { pageOf } from '../domain/text-page.ts';
import type { ToolUse } from '../domain/tool-use.ts';
import { fenced } from './fenced.ts';

type UseOf<Name extends ToolUse['name']> = Extract<ToolUse, { name: Name }>;

const MOST_NAMES = 40;
const MOST_LINES = 80;
const MOST_PASSAGES = 8;
const LINE_CHARACTERS = 300;

/** What an executor may look at: the contents of written files by path, and the plan. */
export interface Readable {
  readonly texts: ReadonlyMap<string, string>;
  readonly planned: readonly BlueprintFile[];
}

/** Shows a file or some of its lines, at most `maxCharacters` of it, and says how to see the rest. */
export function fileResult(
  { path, ...range }: UseOf<'read_file'>,
  { texts, planned }: Readable,
  maxCharacters: number,
): string {
  const text = texts.get(path);
  if (text === undefined) return missingFile(path, { texts, planned });
  if (text.includes('\0')) return `${path} is not text: ${text.length} characters.`;
  return shownPage(path, text, range, {
    maxCharacters,
    goOn: (from) => `read_file with from ${from}, or @read ${path} ${from}`,
  });
}

function missingFile(path: string, { texts, planned }: Readable): string {
  const wrong = pathProblem(path);
  if (wrong) return `"${path.slice(0, 200)}" cannot be read: the path ${wrong}.`;
  const plan = planned.find((file) => file.path === path);
  if (plan) {
    const signatures = plan.signatures === '' ? '' : `\n${fenced(plan.signatures)}`;
    return `${path} is planned and not written yet: ${plan.purpose}${signatures}`;
  }
  const name = path.split('/').at(-1) ?? path;
  const paths = [...texts.keys()];
  const alike = paths.filter((each) => each.endsWith(name) || each.includes(`${name}/`));
  const list = (alike.length > 0 ? alike : paths).slice(0, MOST_NAMES).join(', ');
  return `There is no file ${path}. ${list === '' ? 'No file is written yet.' : `Written files${alike.length > 0 ? ' of that name' : ''}: ${list}.`}`;
}

/** Shows the lines that hold the most of the words. */
export function searchResult(
  { words, path }: UseOf<'search_repository'>,
  { texts }: Pick<Readable, 'texts'>,
  maxCharacters: number,
): string {
  const wanted = path?.replace(/\/+$/, '') ?? '';
  const files = new Map(
    [...texts].filter(
      ([each]) => wanted === '' || each === wanted || each.startsWith(`${wanted}/`),
    ),
  );
  const where = wanted === '' ? 'the repository' : wanted;
  if (files.size === 0) return `There is no written file in ${where}.`;
  const { hits, held, words: count } = searchLines(files, words);
  if (hits.length === 0) return `No line of ${where} holds any of these words.`;
  const lines = hits
    .slice(0, MOST_LINES)
    .map((hit) => `${hit.path}:${hit.line}: ${hit.text.slice(0, LINE_CHARACTERS)}`);
  const page = pageOf(lines.join('\n'), { maxCharacters });
  const few = held < count ? `No line holds all ${count} words; these hold ${held}.\n` : '';
  const left = hits.length - page.to;
  const more =
    left > 0 ? `\n${left} more lines are left out; search for more words, or in one path.` : '';
  return `${few}${page.text}${more}`;
}

/** Shows a part of the paper by id, or the passages in which the words occur. */
export function paperResult(
  { query, from }: UseOf<'read_paper'>,
  paper: PaperDocument,
  maxCharacters: number,
): string {
  const id = query.trim().replace(/^\[|\]$/g, '');
  const text = textOfPart(paper, id);
  if (text !== undefined) {
    return shownPage(id, text, from === undefined ? {} : { from }, {
      maxCharacters,
      goOn: (next) => `read_paper with from ${next}, or @paper ${id} from ${next}`,
    });
  }
  const hits = searchPaper(paper, query, MOST_PASSAGES);
  if (hits.length > 0) return hits.map((hit) => `[${hit.id}] ${hit.excerpt}`).join('\n\n');
  const ids = [...partsById(paper).keys()].slice(0, 4 * MOST_NAMES).join(', ');
  return `The paper has no part "${id.slice(0, 80)}", and none of these words occurs in it. Its parts: ${ids}.`;
}

function shownPage(
  name: string,
  text: string,
  range: { readonly from?: number; readonly to?: number },
  {
    maxCharacters,
    goOn,
  }: { readonly maxCharacters: number; readonly goOn: (from: number) => string },
): string {
  const page = pageOf(text, { ...range, maxCharacters });
  if (page.to < page.from)
    return `${name} has ${page.total} lines; there is nothing from line ${page.from}${range.to === undefined ? '' : ` to ${range.to}`}.`;
  const isWhole = page.from === 1 && page.to === page.total;
  const head = isWhole
    ? `${name}, ${counted(page.total, 'line')}:`
    : `${name}, lines ${page.from} to ${page.to} of ${page.total}:`;
  const wanted = Math.min(range.to ?? page.total, page.total);
  const cut = page.isLineCut ? `\nLine ${page.from} is longer than can be shown and was cut.` : '';
  const rest = page.to < wanted ? `\nThe rest was cut; for it: ${goOn(page.to + 1)}.` : '';
  return `${head}\n${fenced(page.text)}${cut}${rest}`;
}
