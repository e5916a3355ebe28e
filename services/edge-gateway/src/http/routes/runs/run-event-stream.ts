import type { IncomingHttpHeaders } from 'node:http';
import type { StreamRunEventsResponse } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { eventChunks, type FramedEvent } from '../../event-chunks.js';
import type { StreamResult } from '../../route.js';
import { streamFormatOf } from '../../stream-format.js';
import { streamHeaders } from '../../stream-framing.js';

export interface RunEventsPosition {
  runId: string;
  afterSeq: number;
  wait: boolean;
  /** 0 = no limit. */
  limit: number;
}

/** Streams the event log of a run as NDJSON, or as SSE when the client accepts it. */
export async function runEventStream(
  ctx: Context,
  from: RunEventsPosition,
  headers: IncomingHttpHeaders,
  call: Call,
): Promise<StreamResult> {
  const pages = ctx.clients.workflow.streamRunEvents(from, call);
  const iterator = pages[Symbol.asyncIterator]();
  // Reads the first page before responding, so that an unreadable run is still a plain error.
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
