import type { IncomingHttpHeaders } from 'node:http';
import type { StreamRunEventsResponse } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { eventChunks, type FramedEvent } from '../../answer/event-chunks.js';
import { streamFormatOf } from '../../answer/stream-format.js';
import { streamHeaders } from '../../answer/stream-framing.js';
import type { StreamResult } from '../../exchange/route.js';

export interface RunEventsPosition {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

/** The event log of a run as NDJSON, or SSE for who asks for it. */
export async function runEventStream(
  ctx: Context,
  from: RunEventsPosition,
  headers: IncomingHttpHeaders,
  call: Call,
): Promise<StreamResult> {
  const pages = ctx.clients.workflow.streamRunEvents(from, call);
  const iterator = pages[Symbol.asyncIterator]();
  // The first page comes at once, so that a run that cannot be read is still a plain error.
  const first = await iterator.next();
  const format = streamFormatOf(headers.accept) ?? 'ndjson';
  return {
    headers: streamHeaders({ format, ndjsonType: 'application/x-ndjson' }),
    chunks: eventChunks(framed(first, iterator), format),
  };
}

async function* framed(
  first: IteratorResult<StreamRunEventsResponse>,
  rest: AsyncIterator<StreamRunEventsResponse>,
): AsyncGenerator<FramedEvent> {
  try {
    for (let page = first; !page.done; page = await rest.next()) {
      for (const event of page.value.events) yield { json: event.data, id: String(event.seq) };
    }
  } finally {
    await rest.return?.();
  }
}
