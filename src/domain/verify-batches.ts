/** Something to be decided by reading some files: a demand or a check, under the name that the answer gives it. */
export interface Question {
  readonly key: string;
  /** Whole files that it is decided on; at least one. */
  readonly files: readonly string[];
}

/** Questions that one call decides, and the files that it sees for them, those that most questions need first. */
export interface Batch<Asked extends Question> {
  readonly questions: readonly Asked[];
  readonly files: readonly string[];
}

/** What one call may hold: more questions are answered carelessly, and of more text its middle is overlooked. */
export interface BatchBounds {
  readonly questions: number;
  readonly tokens: number;
}

export const BATCH_BOUNDS: BatchBounds = { questions: 44, tokens: 48_000 };

/**
 * Shares questions out so that each file is sent few times: a batch takes, again and again, the question that adds the
 * least to its files. Files stand in one order in all batches, so that these begin alike. Pure: the same questions give
 * the same batches.
 */
export function batchQuestions<Asked extends Question>(
  questions: readonly Asked[],
  tokensOf: (path: string) => number,
  bounds: BatchBounds = BATCH_BOUNDS,
): Batch<Asked>[] {
  const order = byUse(questions);
  const left = new Set(questions);
  const batches: Batch<Asked>[] = [];
  while (left.size > 0) {
    const taken: Asked[] = [];
    const files = new Set<string>();
    let tokens = 0;
    for (;;) {
      const next = cheapest(left, files, tokensOf);
      if (next === undefined || taken.length >= bounds.questions) break;
      if (taken.length > 0 && tokens + next.added > bounds.tokens) break;
      for (const path of next.question.files) files.add(path);
      tokens += next.added;
      taken.push(next.question);
      left.delete(next.question);
    }
    const asked = questions.filter((question) => taken.includes(question));
    batches.push({ questions: asked, files: order.filter((path) => files.has(path)) });
  }
  return batches;
}

/** Two of one, by their files; nothing where it has one question only. */
export function halved<Asked extends Question>({ questions, files }: Batch<Asked>): Batch<Asked>[] {
  if (questions.length < 2) return [];
  const middle = Math.ceil(questions.length / 2);
  return [questions.slice(0, middle), questions.slice(middle)].map((half) => {
    const needed = new Set(half.flatMap((question) => question.files));
    return { questions: half, files: files.filter((path) => needed.has(path)) };
  });
}

/** All files, those of most questions first, else in the order of the questions. */
function byUse(questions: readonly Question[]): string[] {
  const uses = new Map<string, number>();
  for (const { files } of questions)
    for (const path of files) uses.set(path, (uses.get(path) ?? 0) + 1);
  return [...uses].sort(([, one], [, other]) => other - one).map(([path]) => path);
}

/** The question that adds the fewest tokens to some files; the first of several. A new batch begins with the one that has most. */
function cheapest<Asked extends Question>(
  questions: ReadonlySet<Asked>,
  files: ReadonlySet<string>,
  tokensOf: (path: string) => number,
): { readonly question: Asked; readonly added: number } | undefined {
  const priced = [...questions].map((question) => ({
    question,
    added: question.files
      .filter((path) => !files.has(path))
      .reduce((sum, path) => sum + tokensOf(path), 0),
  }));
  const isBegun = files.size > 0;
  return priced.reduce<(typeof priced)[number] | undefined>((best, each) => {
    if (best === undefined) return each;
    return (isBegun ? each.added < best.added : each.added > best.added) ? each : best;
  }, undefined);
}
