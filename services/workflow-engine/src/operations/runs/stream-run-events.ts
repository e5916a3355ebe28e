import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { isTerminalEvent, type ReaderEvent, toReaderEvent } from '../../domain/run/run-event.js';
import { isTerminal } from '../../domain/run/status.js';
import { findRun } from '../../store/read-runs.js';
import { mayHaveMore, readEvents } from '../../store/run-events.js';
import { ReaderInbox } from './reader-inbox.js';
import { requireRun } from './visible-run.js';

export interface EventsQuery {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

const PAGE = 500;
/** A reader that is about to run out of time is ended cleanly, so that it comes back with its position. */
const DEADLINE_MARGIN_MS = 250;

/**
 * Events after a position in pages: the stored ones, then live ones until the terminal event, the limit or the caller's
 * deadline. The first page comes at once, empty when there is nothing to tell yet: the caller knows that the run is there.
 * Subscribes before it queries, so that nothing falls between the two.
 */
export async function* streamRunEvents(
  ctx: Context,
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
  // Who stands at or behind the end of the log never meets the terminal event.
  const mayMissEnd = isTerminal(run.status) || position > run.lastSeq;
  let left = query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  let isFirst = true;
  try {
    while (!ends.some((end) => end.aborted) && remainingMs() > 0) {
      const size = Math.min(PAGE, left);
      const page = inbox.take(position, size) ?? (await readPage(ctx, query.runId, position, size, ring));
      const last = page.at(-1);
      if (last || isFirst) yield page;
      isFirst = false;
      position = last?.seq ?? position;
      left -= page.length;
      if (left <= 0 || (last && isTerminalEvent(last.type))) return;
      if (!query.wait && position >= run.lastSeq) return;
      if (!last && mayMissEnd && (await hasEnded(ctx, query.runId, position))) return;
      await inbox.rung(remainingMs());
    }
  } finally {
    unsubscribe();
    for (const end of ends) end.removeEventListener('abort', ring);
  }
}

async function readPage(
  ctx: Context,
  runId: string,
  position: number,
  size: number,
  goOn: () => void,
): Promise<ReaderEvent[]> {
  const events = await readEvents(ctx.pool, runId, position, size);
  if (mayHaveMore(events, size)) goOn();
  return events.map((event) => toReaderEvent(runId, event));
}

/** For readers that stand at or behind the end of the log, where no terminal event will come by. */
async function hasEnded(ctx: Context, runId: string, position: number): Promise<boolean> {
  const run = await findRun(ctx.pool, runId);
  return run === undefined || (isTerminal(run.status) && position >= run.lastSeq);
}
