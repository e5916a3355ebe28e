import { runEventSchema, runEventsQuery } from '@tollgate/api';
import type { StreamRunEventsResponse } from '@tollgate/contracts/workflow/v1/workflow_pb.js';
import { eventChunks, type FramedEvent } from '../../event-chunks.js';
import { defineRoute } from '../../route.js';
import { streamFormatOf, streamHeaders } from '../../stream-framing.js';
import { runParams } from './params.js';

/** One answer lasts this long at most; its reader comes back with its position. */
const TIMEOUT_MS = 60 * 60_000;

export const streamRunEvents = defineRoute({
  method: 'GET',
  path: '/runs/:id/events',
  tag: 'Runs',
  summary: 'The event log of a run: what is stored, then what happens',
  auth: ['secret_key', 'customer'],
  params: runParams,
  query: runEventsQuery,
  success: { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
  timeoutMs: TIMEOUT_MS,
  async handler({ params, query, headers, call }, ctx) {
    const pages = ctx.clients.workflow.streamRunEvents(
      {
        runId: params.id.toLowerCase(),
        afterSeq: Math.max(query.after_seq, lastEventId(headers['last-event-id'])),
        wait: query.wait,
        limit: query.limit ?? 0,
      },
      call,
    );
    const iterator = pages[Symbol.asyncIterator]();
    // The first page comes at once, so that a run that cannot be read is still a plain error.
    const first = await iterator.next();
    const format = streamFormatOf(headers.accept) ?? 'ndjson';
    return {
      headers: streamHeaders({ format, ndjsonType: 'application/x-ndjson' }),
      chunks: eventChunks(framed(first, iterator), format),
    };
  },
});

/** A reconnecting EventSource repeats its URL and says where it was in the header: the later position wins. */
function lastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : 0;
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
