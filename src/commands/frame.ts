import type { Event } from '../domain/event.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeRetries } from './describe-retries.ts';
import {
  describeCalls,
  describeDuration,
  describeExpected,
  describeFiles,
  describeFindings,
  describeSpend,
  describeState,
  describeWaits,
} from './describe-run.ts';
import { filesDone, timeLeft } from './time-left.ts';
import { cleanLine, fit, widthOf, wrap } from './text-width.ts';

/** What one picture of a run shows. */
export interface Picture {
  readonly status: StatusReport;
  /** Newest last. */
  readonly events: readonly Event[];
  readonly trouble: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly columns: number;
  readonly rows: number;
}

/** How parts of a line are set off; without colours each is the identity. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly warn: (text: string) => string;
}

const LABEL_COLUMNS = 10;
const MOST_EVENTS = 6;
const LEAST_ROWS_FOR_EVENTS = 14;

/** The picture as lines, none wider than the terminal, so that none wraps. */
export function frameOf(picture: Picture, paint: Paint): string[] {
  const { status } = picture;
  const course = { status, events: picture.events, nowMs: picture.nowMs };
  const done = filesDone(course);
  const left = timeLeft(course);
  const expected = describeExpected(status);
  const columns = Math.max(10, picture.columns - 1);
  const width = Math.max(4, columns - LABEL_COLUMNS);
  const line = (label: string, text: string) =>
    paint.dim(label.padEnd(LABEL_COLUMNS)) + fit(cleanLine(text), width);
  const block = (label: string, text: string) =>
    wrap(cleanLine(text), width).map(
      (each, index) =>
        paint.dim((index === 0 ? label : '').padEnd(LABEL_COLUMNS)) + paint.warn(each),
    );
  return [
    title(picture, columns, paint),
    line('files', withBar(filesText(status, done.done), done, width)),
    line('findings', describeFindings(status)),
    line('spent', withBar(describeSpend(status), spendDone(status), width)),
    ...(expected === '' ? [] : [line('in all', expected)]),
    ...(left === '' ? [] : [line('left', left)]),
    line('calls', describeCalls(status)),
    ...(status.live.length > 0 ? [line('at work', describeLive(status.live, width))] : []),
    ...describeWaits(status).flatMap((sentence) => block('waits', sentence)),
    ...(status.engine.message === '' ? [] : block('engine', status.engine.message)),
    ...describeRetries(status).map((each, index) => line(index === 0 ? 'again' : '', each)),
    ...(picture.trouble === '' ? [] : block('trouble', picture.trouble)),
    ...recent(picture).map((event, index) => line(index === 0 ? 'recent' : '', event.text)),
  ];
}

const LEAST_NAME = 4;
const MOST_BAR = 20;
const LEAST_BAR = 6;

/** The text with a bar in front, where there is room for one and something to show. */
function withBar(
  text: string,
  { done, all }: { readonly done: number; readonly all: number },
  width: number,
): string {
  const columns = Math.min(MOST_BAR, width - widthOf(text) - 1);
  if (all <= 0 || columns < LEAST_BAR) return text;
  const full = Math.floor(columns * Math.min(1, done / all));
  return `${'█'.repeat(full)}${'░'.repeat(columns - full)} ${text}`;
}

/** What the round under way has written is in the bar too, and counted when the round is committed. */
function filesText(status: StatusReport, done: number): string {
  const more = done - status.files.written;
  return `${describeFiles(status)}${more > 0 ? `, ${more} more in this round` : ''}`;
}

function spendDone({ account }: StatusReport): { done: number; all: number } {
  return { done: account.spent, all: account.cap ?? 0 };
}

function title({ status, nowMs }: Picture, columns: number, paint: Paint): string {
  const time = describeDuration(elapsedMs(status, nowMs));
  const room = columns - time.length - 1;
  // A long name gives way to the state, which is what the picture is looked at for.
  const state = ` · ${describeState(status)}`;
  const name = fit(cleanLine(status.name), Math.max(LEAST_NAME, room - widthOf(state)));
  const text = fit(name + state, room);
  const gap = ' '.repeat(Math.max(1, columns - widthOf(text) - time.length));
  return `${paint.bold(text)}${gap}${paint.dim(time)}`;
}

/** How long the run has taken: until its end, or until now. */
function elapsedMs({ createdAt, updatedAt, outcome }: StatusReport, nowMs: number): number {
  return (outcome === null ? nowMs : Date.parse(updatedAt)) - Date.parse(createdAt);
}

/** As many steps as fit, and how many more there are. */
function describeLive(live: readonly string[], width: number): string {
  let text = live[0] ?? '';
  let shown = 1;
  for (const label of live.slice(1)) {
    if (widthOf(`${text} · ${label} · +99`) > width) break;
    text = `${text} · ${label}`;
    shown += 1;
  }
  return shown < live.length ? `${fit(text, width - 6)} · +${live.length - shown}` : text;
}

/** The newest facts; what many steps say of the same obstacle takes one line. */
function recent({ events, rows }: Picture): readonly Event[] {
  if (rows < LEAST_ROWS_FOR_EVENTS) return [];
  const last = new Map(events.map((event) => [event.text, event]));
  return events
    .filter((event) => last.get(event.text) === event)
    .slice(-Math.min(MOST_EVENTS, rows - 10));
}
