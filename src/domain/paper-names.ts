/** What the concept analysis names, in the paper's spelling; empty where it names nothing. */
export interface PaperNames {
  /** The paper's own method, each baseline, each ablation. */
  readonly methods: readonly string[];
  readonly datasets: readonly string[];
  readonly measures: readonly string[];
}

const MOST_NAMES = 80;
const MOST_CHARACTERS = 80;

/** Reads the closing section **Names** of a concept analysis: lines `methods: a | b | c`. The last line of each kind counts. */
export function paperNames(markdown: string): PaperNames {
  return {
    methods: namesOf(markdown, 'methods'),
    datasets: namesOf(markdown, 'datasets'),
    measures: namesOf(markdown, 'measures'),
  };
}

function namesOf(markdown: string, kind: string): string[] {
  const mark = new RegExp(`^[\\s>*_\`-]{0,12}${kind}[*_\`]{0,4}:(.*)$`, 'i');
  const line = markdown.split('\n').findLast((each) => each.includes('|') && mark.test(each));
  const cells = (mark.exec(line ?? '')?.[1] ?? '').split('|');
  const names = cells.map((cell) => cell.trim().replace(/^[*_`"'\s]+|[*_`"'.\s]+$/g, ''));
  return [...new Set(names)]
    .filter((name) => name.length > 1 && name.length <= MOST_CHARACTERS)
    .slice(0, MOST_NAMES);
}
