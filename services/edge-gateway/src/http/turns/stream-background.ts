import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamBackgroundResponseResponse } from '@tollgate/contracts/workflow/v1/background_responses_pb.js';
import { isTransientError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { EventStreamResult, StreamEvent } from '../exchange/route.js';

type Parts = Pick<Context, 'clients' | 'lifecycle'>;
type Pages = AsyncIterator<StreamBackgroundResponseResponse>;

/** Bounds one stream: no response takes longer. */
export const BACKGROUND_STREAM_TIMEOUT_MS = 60 * 60_000;
/** An engine that was lost is replaced by another one within this time; else the client continues at its position later. */
const RETRIES_MAX = 20;
const RETRY_MS = 500;

export interface BackgroundPosition {
  id: string;
  /** Sequence number of the last event that the client has; undefined for none. */
  startingAfter: number | undefined;
}

/**
 * Streams the events of a background response after a position, and continues on another engine when one is lost. Calls `close` when the
 * stream has ended, and when it cannot be opened.
 *
 * @throws AppError NOT_FOUND; VALIDATION_ERROR when its events are not stored
 */
export async function streamBackground(
  parts: Parts,
  from: BackgroundPosition,
  call: Call,
  close: () => void,
): Promise<EventStreamResult> {
  try {
    const pages = open(parts, from, call);
    // Reads the first page before responding, so that an unreadable response is still a plain error.
    const first = await pages.next();
    return { format: 'sse', events: toStreamEvents(parts, from, { first, pages, close }, call), endsInErrors: true };
  } catch (error) {
    close();
    throw error;
  }
}

interface Opened {
  first: IteratorResult<StreamBackgroundResponseResponse>;
  pages: Pages;
  close: () => void;
}

async function* toStreamEvents(
  parts: Parts,
  from: BackgroundPosition,
  opened: Opened,
  call: Call,
): AsyncGenerator<StreamEvent> {
  let { pages } = opened;
  let page: IteratorResult<StreamBackgroundResponseResponse> | undefined = opened.first;
  let position = from.startingAfter ?? -1;
  let retries = 0;
  try {
    while (!call.isAborted) {
      page ??= await unlessLost(parts, pages, retries, call);
      if (page && !page.done) {
        retries = 0;
        const { events, isComplete } = page.value;
        for (const { sequenceNumber, type, data } of events) {
          if (sequenceNumber <= position) continue;
          position = sequenceNumber;
          yield { json: data, name: type };
        }
        if (isComplete) return;
      } else {
        // The engine stops, or the time is up.
        if (call.remainingMs() <= RETRY_MS || parts.lifecycle.isDraining) return;
        retries += 1;
        await sleep(RETRY_MS, undefined, { ref: false });
        pages = open(parts, { ...from, startingAfter: position < 0 ? undefined : position }, call);
      }
      page = undefined;
    }
  } finally {
    opened.close();
    await pages.return?.();
  }
}

/** Returns undefined when the engine was lost. @throws AppError when it was lost too often, or the response was deleted */
async function unlessLost(
  parts: Parts,
  pages: Pages,
  retries: number,
  call: Call,
): Promise<IteratorResult<StreamBackgroundResponseResponse> | undefined> {
  try {
    return await pages.next();
  } catch (error) {
    const isFinal = call.isAborted || parts.lifecycle.isDraining || retries >= RETRIES_MAX;
    if (isFinal || !isTransientError(error)) throw error;
    return undefined;
  }
}

function open({ clients }: Parts, from: BackgroundPosition, call: Call): Pages {
  const { id, startingAfter } = from;
  const position = startingAfter === undefined ? {} : { startingAfter };
  return clients.backgroundResponses.streamBackgroundResponse({ id, ...position }, call)[Symbol.asyncIterator]();
}
