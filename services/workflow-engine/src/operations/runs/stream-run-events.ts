import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { isTerminalEvent, type ReaderEvent, toReaderEvent } from '../../domain/run/run-event.js';
import { isTerminal } from '../../domain/run/status.js';
import { findRun } from '../../store/runs/read-runs.js';
import { mayHaveMore, readEvents } from '../../store/runs/run-events.js';
import { requireRun } from './read-runs.js';
import { ReaderInbox } from './reader-inbox.js';

export interface EventsQuery {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

const PAGE = 500;
/** Ends a stream cleanly before the caller's deadline, so that the reader can reconnect with its position. */
const DEADLINE_MARGIN_MS = 250;

/**
 * Yields events after a position in pages: the stored ones, then live ones until the terminal event, the limit or the
 * caller's deadline. Yields the first page at once, even if it is empty, so that the caller knows that the run exists.
 * Subscribes before it queries, so that no event is missed.
 */
export async function* streamRunEvents(
  ctx: Pick<Context, 'closing' | 'pool' | 'wakeUps'>,
  principal: Principal,
  query: EventsQuery,
  call: Call,
): AsyncGenerator<readonly ReaderEvent[]> {
  const run = await requireRun(ctx, principal, query.runId);
  const inbox = new ReaderInbox();
  const ring = (): void => inbox.ring();
  const unsubscribe = ctx.wakeUps.onRun(query.runId, (events) => (events ? inbox.put(events) : ring()));
  const ends = [call.signal, ctx.closing.signal];
  for (const end of ends) end.addEventListener('abort', ring, { once: true });
  const remainingMs = () => call.remainingMs() - DEADLINE_MARGIN_MS;
  let position = query.afterSeq;
  // At or after the end of the log, the terminal event is never read.
  const mayMissEnd = isTerminal(run.status) || position > run.lastSeq;
  let left = query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  let isFirst = true;
  try {
    while (!ends.some((end) => end.aborted) && remainingMs() > 0) {
      const size = Math.min(PAGE, left);
      const page = inbox.take(position, size) ?? (await readPage(ctx, query.runId, { position, size }, ring));
      const last = page.at(-1);
      if (last || isFirst) yield page;
      isFirst = false;
      position = last?.seq ?? position;
      left -= page.length;
      if (left <= 0 || (last && isTerminalEvent(last.type))) return;
      if (!query.wait && position >= run.lastSeq) return;
      if (!last && mayMissEnd && (await hasEnded(ctx, query.runId, position))) return;
      await inbox.wait(remainingMs());
    }
  } finally {
    unsubscribe();
    for (const end of ends) end.removeEventListener('abort', ring);
  }
}

async function readPage(
  ctx: Pick<Context, 'pool'>,
  runId: string,
  { position, size }: { position: number; size: number },
  ring: () => void,
): Promise<ReaderEvent[]> {
  const events = await readEvents(ctx.pool, runId, position, size);
  if (mayHaveMore(events, size)) ring();
  return events.map((event) => toReaderEvent(runId, event));
}

/** Whether the run has ended, for readers at or after the end of the log, who never read the terminal event. */
async function hasEnded(ctx: Pick<Context, 'pool'>, runId: string, position: number): Promise<boolean> {
  const run = await findRun(ctx.pool, runId);
  return run === undefined || (isTerminal(run.status) && position >= run.lastSeq);
}
