import { createHash } from 'node:crypto';
import type { Settlement } from '../domain/budget.ts';
import { canonicalJson } from '../domain/canonical-json.ts';
import { RetryLater } from '../domain/errors.ts';
import type { JournalEntry, JournalMarker } from '../domain/journal-entry.ts';
import { ModelReply, type ChatMessage, type Role } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import type { ModelChoice, RunSettings } from '../domain/run-settings.ts';
import type { ToolSpec } from '../models/model.ts';
import type { OpenCall } from '../store/journal.ts';
import { refOf } from '../store/folder-store.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { actualCost, worstCost } from './call-cost.ts';
import type { Deps } from './deps.ts';
import type { PaidCall } from './inputs.ts';
import { openMeter } from './meter.ts';
import { openPast, type Concurrency } from './past-calls.ts';
import { sayOvershoot } from './overshoot.ts';
import type { Pulse } from './pulse.ts';
import { settledAll } from './settled-all.ts';

/** One request of a run: its place, who is asked, and what. */
export interface CallRequest {
  /** Unique in the run, such as `r3/write/src/model.py/t2`. */
  readonly label: string;
  readonly role: Role;
  /** Names prompt and answer format; part of the journal's key. */
  readonly schemaId: string;
  readonly messages: readonly ChatMessage[];
  readonly maxOutputTokens: number;
  /** What the schema id says they are. */
  readonly tools?: readonly ToolSpec[];
}

/** A reply and where it and its request are kept. */
export interface AnsweredCall {
  readonly reply: ModelReply;
  readonly replyRef: Ref;
  readonly messageRefs: readonly Ref[];
}

/** The only way to a model: found in the journal, or asked, paid and journaled before anything else happens. */
export interface ModelCalls {
  reply(request: CallRequest): Promise<AnsweredCall>;
  settlement(): Settlement;
}

/** What only some activities' calls need. */
export interface CallsOptions {
  readonly concurrency?: Concurrency | undefined;
  /** Settings that the same calls were asked under before: a reply from then stands. */
  readonly earlier?: readonly RunSettings[];
}

/** Another attempt may be about to journal the same reply; it is looked for again after this. */
const BUSY_RETRY_MS = 1_000;

export function openCalls(
  deps: Deps,
  call: PaidCall,
  settings: RunSettings,
  pulse: Pulse,
  { concurrency, earlier = [] }: CallsOptions = {},
): ModelCalls {
  const { store, model, now, unsaved } = deps;
  const meter = openMeter(call.run, call.incarnation, call.allowance);
  const past = openPast(deps, settings.seed, { meter, call, concurrency });

  async function reply(request: CallRequest): Promise<AnsweredCall> {
    pulse.requireWanted();
    const texts = request.messages.map((message) => canonicalJson(message));
    const messageRefs = texts.map(refOf);
    // The key needs their hashes alone, so that they are stored while the model is at work.
    const storing = settledAll(texts.map((text) => store.put(text)));
    const answering = answer(request, messageRefs);
    await Promise.allSettled([storing, answering]);
    await storing;
    return { ...(await answering), messageRefs };
  }

  async function answer(
    request: CallRequest,
    messageRefs: readonly Ref[],
  ): Promise<Omit<AnsweredCall, 'messageRefs'>> {
    const key = keyOf(request, settings, messageRefs);
    const choice = settings.models[request.role];
    const worst = worstCost(request, choice, settings.unit);
    const marker: JournalMarker = {
      schemaVersion: 1,
      key,
      label: request.label,
      run: call.run,
      incarnation: call.incarnation,
      worstCost: worst,
      startedAt: now().toISOString(),
      ended: false,
    };
    const kept = await answeredEarlier(request, messageRefs);
    if (kept) return { reply: await getJson(store, ModelReply, kept.reply), replyRef: kept.reply };
    const opening = await past.openCall(marker);
    if (opening.kind === 'busy') {
      throw new RetryLater(`Another attempt is asking for ${request.label}.`, {
        retryAfterMs: BUSY_RETRY_MS,
      });
    }
    if (opening.kind === 'open') {
      const { entry, ...asked } = await ask(request, { marker, open: opening.call, messageRefs });
      await tellOvershoot(entry, worst);
      return asked;
    }
    meter.bookReply(opening.entry, true);
    await tellOvershoot(opening.entry, worst);
    const { reply: replyRef } = opening.entry;
    return { reply: await getJson(store, ModelReply, replyRef), replyRef };
  }

  /** What was asked for under earlier settings is not paid twice; what it cost is booked, also where it was cut. */
  async function answeredEarlier(
    request: CallRequest,
    messageRefs: readonly Ref[],
  ): Promise<JournalEntry | undefined> {
    if (earlier.length === 0) return undefined;
    const keys = new Set(earlier.map((each) => keyOf(request, each, messageRefs)));
    const { entries, lost } = await deps.journal.past(settings.seed, call.run, request.label);
    meter.bookLost(lost.filter(({ key }) => keys.has(key)));
    const entry = entries.findLast(({ key }) => keys.has(key));
    if (entry) meter.bookReply(entry, true);
    return entry;
  }

  async function ask(
    request: CallRequest,
    opened: {
      readonly marker: JournalMarker;
      readonly open: OpenCall;
      readonly messageRefs: readonly Ref[];
    },
  ): Promise<Pick<AnsweredCall, 'reply' | 'replyRef'> & { readonly entry: JournalEntry }> {
    const { marker, open, messageRefs } = opened;
    const { key, worstCost: worst } = marker;
    const choice = settings.models[request.role];
    const startedAtMs = now().getTime();
    const stopTouching = pulse.onBeat(() => open.touch());
    let isReserved = false;
    try {
      await past.knowPast();
      meter.reserve(worst);
      isReserved = true;
      const answer = unsaved.get(key) ?? (await askModel(request, choice));
      unsaved.set(key, answer);
      const replyRef = await putJson(store, answer);
      const entry = await open.close({
        schemaVersion: 1,
        key,
        label: request.label,
        run: call.run,
        incarnation: call.incarnation,
        role: request.role,
        model: choice.model,
        reply: replyRef,
        messages: [...messageRefs],
        usage: answer.usage,
        cost: actualCost(answer.usage, choice, settings.unit),
        // As its marker says: so a marker that a crash left beside its entry is known to be of no other call.
        startedAt: marker.startedAt,
        durationMs: now().getTime() - startedAtMs,
      });
      unsaved.delete(key);
      meter.bookReply(entry, false);
      // Another's reply stands where that one was first.
      const isOurs = entry.reply.sha256 === replyRef.sha256;
      const reply = isOurs ? answer : await getJson(store, ModelReply, entry.reply);
      return { reply, replyRef: entry.reply, entry };
    } catch (error) {
      const isCut = pulse.signal.aborted || (error instanceof RetryLater && error.maybePaid);
      const maybePaid = isReserved && isCut;
      // Booked in place of its reservation, not beside it, so that a sibling is not refused for nothing.
      if (isReserved) meter.release(worst);
      isReserved = false;
      if (maybePaid) meter.bookLost([marker]);
      await open.abandon({ maybePaid });
      throw error;
    } finally {
      stopTouching();
      if (isReserved) meter.release(worst);
    }
  }

  /** Only of what this run pays; a crash between a reply and this word repeats it, which readers drop. */
  async function tellOvershoot(entry: JournalEntry, worst: number): Promise<void> {
    if (entry.run === call.run)
      await sayOvershoot(deps, entry, { worst, unit: settings.unit, run: call.run });
  }

  function askModel(request: CallRequest, choice: ModelChoice): Promise<ModelReply> {
    return model.reply(
      {
        label: request.label,
        endpoint: { baseUrl: choice.baseUrl, keyEnv: choice.keyEnv },
        model: choice.model,
        messages: request.messages,
        maxOutputTokens: request.maxOutputTokens,
        ...(request.tools && { tools: request.tools }),
        loadImage: ({ ref }) => store.get(ref),
      },
      pulse.signal,
      ({ characters }) => pulse.progress(`${request.label}: ${characters} characters`),
    );
  }

  return { reply, settlement: meter.settlement };
}

/** What makes two requests one: seed, place, who is asked, logical parameters, answer format, messages. */
function keyOf(request: CallRequest, settings: RunSettings, messageRefs: readonly Ref[]): string {
  const { model, baseUrl } = settings.models[request.role];
  const parts = {
    seed: settings.seed,
    label: request.label,
    model,
    baseUrl,
    maxOutputTokens: request.maxOutputTokens,
    schemaId: request.schemaId,
    messages: messageRefs.map(({ sha256 }) => sha256),
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
