import type { JournalMarker } from '../domain/journal-entry.ts';
import type { Opening } from '../store/journal.ts';
import type { Deps } from './deps.ts';
import type { PaidCall } from './inputs.ts';
import type { Meter } from './meter.ts';

/** Of an activity that has several calls under way at once: what all their labels start with. */
export interface Concurrency {
  readonly prefix: string;
}

/** Opens calls in the journal and books what earlier attempts of the activity have left there. */
export interface Past {
  openCall(marker: JournalMarker): Promise<Opening>;
  /** Resolves when all that earlier attempts may have paid is booked: no call may be made before. */
  knowPast(): Promise<void>;
}

/**
 * A call learns of its own earlier tries when it is opened. Where calls stand side by side that is too late: the first
 * would be made on money that the second turns out to have spent. So each waits until all are opened, and where one
 * of them has a past, that of the whole activity is read from the journal.
 */
export function openPast(
  { journal }: Pick<Deps, 'journal'>,
  seed: string,
  {
    meter,
    call: { run, incarnation },
    concurrency,
  }: {
    readonly meter: Meter;
    readonly call: Pick<PaidCall, 'run' | 'incarnation'>;
    readonly concurrency: Concurrency | undefined;
  },
): Past {
  const openings = new Set<Promise<Opening>>();
  const own = new Set<string>();
  let hasPast = false;
  let reading: Promise<void> | undefined;

  async function openCall(marker: JournalMarker): Promise<Opening> {
    own.add(idOf(marker));
    const opening = journal.open(seed, marker);
    openings.add(opening);
    return note(await opening);
  }

  function note(opening: Opening): Opening {
    if (opening.kind === 'busy') {
      hasPast = true;
      return opening;
    }
    const lost = opening.kind === 'open' ? opening.call.lost : opening.lost;
    meter.bookLost(lost);
    const isAnswered =
      opening.kind === 'answered' &&
      opening.entry.run === run &&
      opening.entry.incarnation === incarnation;
    if (isAnswered || lost.length > 0) hasPast = true;
    return opening;
  }

  async function knowPast(): Promise<void> {
    if (concurrency === undefined) return;
    await Promise.allSettled(openings);
    if (!hasPast) return;
    reading ??= readPast(concurrency.prefix);
    await reading;
  }

  async function readPast(prefix: string): Promise<void> {
    const past = await journal.past(seed, run, prefix);
    meter.bookLost(past.lost);
    for (const entry of past.entries) meter.bookReply(entry, false);
    meter.holdBack(past.underWay.filter((marker) => !own.has(idOf(marker))));
  }

  return { openCall, knowPast };
}

function idOf({ key, startedAt }: JournalMarker): string {
  return `${key} ${startedAt}`;
}
