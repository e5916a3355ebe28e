import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { listRequests } from '../../../store/requests/read-requests.js';
import type { RequestFilter } from '../../../store/requests/request-filter.js';
import type { StreamEvent } from '../../exchange/route.js';
import { requestJson } from './request-json.js';

const POLL_MS = 1_000;
/** A poll shows at most this many requests, the newest: a live view of more is unreadable. */
const SHOWN_MAX = 200;
/** How far the first poll looks back. */
const START_MS = 60_000;
/** A request may be stored this long after its end and is still shown. */
const LATE_MS = 15_000;
/** Clocks of other processes may be ahead. */
const SKEW_MS = 60_000;

/** Yields requests as they end, oldest first, each once. */
export async function* followRequests(
  ctx: Pick<Context, 'clock' | 'config' | 'liveViews' | 'pool'>,
  filter: RequestFilter,
  { wait, call }: { wait: boolean; call: Call },
): AsyncGenerator<StreamEvent> {
  const close = ctx.liveViews.open(call.requirePrincipal().accountId);
  const endMs = ctx.clock.elapsed() + ctx.config.liveViewMs;
  const shown = new Map<string, number>();
  try {
    for (let lookBackMs = START_MS; !call.isAborted; lookBackMs = LATE_MS) {
      const nowMs = ctx.clock.nowMs();
      const from = new Date(nowMs - lookBackMs);
      const range = { from, to: new Date(nowMs + SKEW_MS) };
      const found = await listRequests(ctx.pool, { ...filter, ...range }, { limit: SHOWN_MAX });
      for (const [id, atMs] of shown) if (atMs < from.getTime()) shown.delete(id);
      for (const entry of found.filter(({ id }) => !shown.has(id)).reverse()) {
        shown.set(entry.id, entry.at.getTime());
        yield { json: JSON.stringify(requestJson(entry)), id: entry.id };
      }
      const leftMs = endMs - ctx.clock.elapsed();
      if (!wait || leftMs <= 0) return;
      await sleep(Math.min(POLL_MS, leftMs), undefined, { signal: call.signal }).catch(() => undefined);
    }
  } finally {
    close();
  }
}
