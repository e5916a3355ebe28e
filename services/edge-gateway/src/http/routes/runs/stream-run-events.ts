import { runEventSchema, runEventsQuery } from '@tollgate/api/runs';
import { defineRoute } from '../../exchange/route.js';
import { runParams } from './params.js';
import { runEventStream } from './run-event-stream.js';

/** Bounds one response; the reader reconnects with its position. */
const TIMEOUT_MS = 60 * 60_000;

export const streamRunEvents = defineRoute({
  method: 'GET',
  path: '/runs/:id/events',
  tag: 'Runs',
  summary: 'Stream the event log of a run: stored events, then new ones',
  operationId: 'streamRunEvents',
  description:
    'Answers NDJSON, or server-sent events if the `Accept` header asks for them. Reconnect with `after_seq`, or with the header `Last-Event-ID`. `wait=false` ends the answer after the events that are stored now. An `EventSource` that has read all of a run that has ended gets 204.',
  auth: ['secret_key', 'customer'],
  params: runParams,
  query: runEventsQuery,
  success: { status: 200, schema: runEventSchema, contentType: 'application/x-ndjson' },
  alsoAnswers: [{ status: 200, schema: runEventSchema, contentType: 'text/event-stream' }, { status: 204 }],
  timeoutMs: TIMEOUT_MS,
  async handler({ params, query, headers, call }, ctx) {
    const from = {
      runId: params.id.toLowerCase(),
      afterSeq: Math.max(query.after_seq, lastEventId(headers['last-event-id'])),
      wait: query.wait,
      limit: query.limit ?? 0,
    };
    return runEventStream(ctx, from, headers, call);
  },
});

/** A reconnecting EventSource repeats its URL and sends its position in a header; the later position wins. */
function lastEventId(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : 0;
}
