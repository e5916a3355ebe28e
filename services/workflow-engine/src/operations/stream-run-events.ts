import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../context.js';
import { isTerminalEvent, renderEvent } from '../domain/run-event.js';
import { isTerminal, type RunStatus } from '../domain/status.js';
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
 * deadline. Subscribes before it queries, so that nothing falls between the two.
 */
export async function* streamRunEvents(
  ctx: Context,
  principal: Principal,
  query: EventsQuery,
  call: Call,
): AsyncGenerator<RenderedEvent[]> {
  const run = await requireRun(ctx, principal, query.runId);
  const bell = new Bell();
  const unsubscribe = ctx.wakeUps.onRun(query.runId, () => bell.ring());
  const onAbort = (): void => bell.ring();
  call.signal.addEventListener('abort', onAbort, { once: true });
  const untilMs = () => call.remainingMs() - DEADLINE_MARGIN_MS;
  let position = query.afterSeq;
  let left = query.limit === 0 ? Number.POSITIVE_INFINITY : query.limit;
  // A run that had ended when it was looked up has all its events in the log.
  const isLive = query.wait && !isTerminal(run.status as RunStatus);
  try {
    while (!call.isAborted && untilMs() > 0) {
      bell.reset();
      const page = await readEvents(ctx.pool, query.runId, position, Math.min(PAGE, left));
      const last = page.at(-1);
      if (last) {
        yield page.map((event) => ({ seq: event.seq, type: event.type, json: renderEvent(query.runId, event) }));
        position = last.seq;
        left -= page.length;
        if (left <= 0 || isTerminalEvent(last.type)) return;
      }
      if (!query.wait && position >= run.lastSeq) return;
      if (!last && !isLive) return;
      if (page.length < PAGE) await bell.rung(untilMs());
    }
  } finally {
    unsubscribe();
    call.signal.removeEventListener('abort', onAbort);
  }
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
