import type { IncomingHttpHeaders } from 'node:http';
import type { StreamRunEventsResponse } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { chooseStreamFormat } from '../../answer/accept.js';
import type { EventStreamResult, StreamEvent } from '../../exchange/route.js';

export interface RunEventsPosition {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

/**
 * Streams the event log of a run as NDJSON, or as SSE when the client accepts it. A browser's EventSource connects again after the last
 * event until it gets 204.
 */
export async function runEventStream(
  ctx: Pick<Context, 'clients'>,
  from: RunEventsPosition,
  headers: IncomingHttpHeaders,
  call: Call,
): Promise<EventStreamResult | { status: 204 }> {
  const pages = ctx.clients.workflow.streamRunEvents(from, call);
  const iterator = pages[Symbol.asyncIterator]();
  // Reads the first page before responding, so that an unreadable run is still a plain error.
  const first = await iterator.next();
  const format = chooseStreamFormat(headers.accept) ?? 'ndjson';
  if (from.wait && first.done && format === 'sse') return { status: 204 };
  return { format, ndjsonType: 'application/x-ndjson', events: toStreamEvents(first, iterator) };
}

async function* toStreamEvents(
  first: IteratorResult<StreamRunEventsResponse>,
  rest: AsyncIterator<StreamRunEventsResponse>,
): AsyncGenerator<StreamEvent> {
  try {
    for (let page = first; !page.done; page = await rest.next()) {
      for (const event of page.value.events) yield { json: event.data, id: String(event.seq) };
    }
  } finally {
    await rest.return?.();
  }
}
