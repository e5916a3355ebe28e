import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { isTerminalEvent, renderEvent, type StoredEvent } from '../domain/run-event.js';
import { isTerminal, type RunStatus } from '../domain/status.js';
import { findRun } from '../store/read-runs.js';
import { readEvents } from '../store/run-events.js';
import { requireRun } from './visible-run.js';

export interface EventsQuery {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

export interface RenderedEvent {
  seq: number;
  type: string;
  json: string;
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
): AsyncGenerator<RenderedEvent[]> {
  const run = await requireRun(ctx, principal, query.runId);
  const bell = new Bell();
  const ring = (): void => bell.ring();
  const unsubscribe = ctx.wakeUps.onRun(query.runId, ring);
  const ends = [call.signal, ctx.closing.signal];
  for (const end of ends) end.addEventListener('abort', ring, { once: true });
  const remainingMs = () => call.remainingMs() - DEADLINE_MARGIN_MS;
  let position = query.afterSeq;
  let left = query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  let isFirst = true;
  try {
    while (!ends.some((end) => end.aborted) && remainingMs() > 0) {
      bell.reset();
      const page = await readEvents(ctx.pool, query.runId, position, Math.min(PAGE, left));
      const last = page.at(-1);
      if (last || isFirst) yield page.map((event) => rendered(query.runId, event));
      isFirst = false;
      position = last?.seq ?? position;
      left -= page.length;
      if (left <= 0 || (last && isTerminalEvent(last.type))) return;
      if (!query.wait && position >= run.lastSeq) return;
      if (!last && (await hasEnded(ctx, query.runId, position))) return;
      if (page.length < PAGE) await bell.rung(remainingMs());
    }
  } finally {
    unsubscribe();
    for (const end of ends) end.removeEventListener('abort', ring);
  }
}

function rendered(runId: string, event: StoredEvent): RenderedEvent {
  return { seq: event.seq, type: event.type, json: renderEvent(runId, event) };
}

/** For readers that stand at or behind the end of the log, where no terminal event will come by. */
async function hasEnded(ctx: Context, runId: string, position: number): Promise<boolean> {
  const run = await findRun(ctx.prisma, runId);
  return run === null || (isTerminal(run.status as RunStatus) && position >= run.lastSeq);
}

/** One reader's wake-up: rings that come while nobody waits are not lost. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  reset(): void {
    this.#isRung = false;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  async rung(timeoutMs: number): Promise<void> {
    if (this.#isRung) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, Math.max(0, Math.min(timeoutMs, 2 ** 31 - 1)));
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }
}
