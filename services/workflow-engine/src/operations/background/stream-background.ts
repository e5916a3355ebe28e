import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { isLastType } from '../../domain/background/background-events.js';
import type { ReaderEvent } from '../../domain/run/run-event.js';
import { readBackgroundEvents } from '../../store/background/background-events.js';
import { type BackgroundOwner, findStream, type StreamRow } from '../../store/background/background-responses.js';
import { ReaderInbox } from '../runs/reader-inbox.js';
import { notFound, readId, toOwner } from './background-owner.js';

/** Events of a page that come from memory. */
const PAGE = 500;
/** Ends a stream cleanly before the caller's deadline, so that the reader can continue at its position. */
const DEADLINE_MARGIN_MS = 250;

export interface BackgroundPage {
  events: readonly ReaderEvent[];
  /** No event follows. */
  isComplete: boolean;
}

/**
 * Yields the events of a response after a position: the stored ones, then new ones until its end or the caller's deadline. Yields the
 * first page at once, even if it is empty, so that the caller knows that the response exists. Subscribes before it queries, so that no
 * event is missed.
 *
 * @throws AppError NOT_FOUND; VALIDATION_ERROR when its events are not stored
 */
export async function* streamBackground(
  ctx: Pick<Context, 'closing' | 'pool' | 'wakeUps'>,
  { id, startingAfter }: { id: string; startingAfter: number },
  call: Call,
): AsyncGenerator<BackgroundPage> {
  const owner = toOwner(call.requirePrincipal());
  const uuid = readId(id);
  const inbox = new ReaderInbox();
  const ring = (): void => inbox.ring();
  const unsubscribe = ctx.wakeUps.onRun(uuid, (events) => (events ? inbox.put(events) : ring()));
  const ends = [call.signal, ctx.closing.signal];
  for (const end of ends) end.addEventListener('abort', ring, { once: true });
  const remainingMs = () => call.remainingMs() - DEADLINE_MARGIN_MS;
  let position = startingAfter;
  let isFirst = true;
  try {
    requireEvents(await requireStream(ctx, owner, uuid));
    while (!ends.some((end) => end.aborted) && remainingMs() > 0) {
      const events = inbox.take(position, PAGE) ?? (await readPage(ctx, uuid, position, ring));
      const last = events.at(-1);
      const isComplete = last ? isLastType(last.type) : await hasEnded(ctx, owner, uuid, position);
      if (last || isComplete || isFirst) yield { events, isComplete };
      if (isComplete) return;
      isFirst = false;
      position = last?.seq ?? position;
      await inbox.wait(remainingMs());
    }
  } finally {
    unsubscribe();
    for (const end of ends) end.removeEventListener('abort', ring);
  }
}

async function readPage(
  { pool }: Pick<Context, 'pool'>,
  uuid: string,
  position: number,
  ring: () => void,
): Promise<ReaderEvent[]> {
  const { events, mayHaveMore } = await readBackgroundEvents(pool, uuid, position);
  if (mayHaveMore) ring();
  return events;
}

/** Whether no event follows the position: it is at the end, or the response was ended by a version without events. */
async function hasEnded(
  ctx: Pick<Context, 'pool'>,
  owner: BackgroundOwner,
  uuid: string,
  position: number,
): Promise<boolean> {
  const row = await requireStream(ctx, owner, uuid);
  return row.has_ended && (position >= row.last_event || !row.has_events);
}

/** @throws AppError NOT_FOUND for a response that does not exist, or was deleted */
async function requireStream(
  { pool }: Pick<Context, 'pool'>,
  owner: BackgroundOwner,
  uuid: string,
): Promise<StreamRow> {
  const row = await findStream(pool, owner, uuid);
  if (!row) throw notFound();
  return row;
}

function requireEvents({ is_streamed: isStreamed, has_events: hasEvents }: StreamRow): void {
  if (isStreamed && hasEvents) return;
  const message = isStreamed
    ? 'the events of this response are no longer stored: leave stream out'
    : 'only responses that were created with background: true and stream: true can be streamed: leave stream out';
  throw new AppError('VALIDATION_ERROR', message, {
    fields: [{ field: 'stream', message }],
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}
