import type { GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError, asAppError, errorForAudience } from '@tollgate/errors';
import type { StreamFormat } from '../answer/stream-format.js';
import { EventStream, streamHeaders } from '../answer/stream-framing.js';
import { flatToRecord, type HotExchange } from './hot-exchange.js';
import type { Frames } from './start-turn.js';
import type { AnswerCopy } from './write-plain.js';

/** Events as they come, with backpressure. A stream that breaks ends in an error event, never in a clean end. */
export async function writeStream(
  exchange: HotExchange,
  format: StreamFormat,
  first: IteratorResult<GenerateResponse>,
  frames: Frames,
  copy: AnswerCopy | undefined,
): Promise<void> {
  if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
  const stream = openStream(exchange, format);
  if (copy) {
    copy.status = 200;
    copy.headers = streamHeaders({ format });
  }
  try {
    await pump(stream, format, first, frames, copy);
  } catch (error) {
    if (stream.isOpen) void stream.send(errorEvent(exchange, error), errorName(exchange));
  } finally {
    exchange.done();
    stream.end();
  }
}

function openStream(exchange: HotExchange, format: StreamFormat): EventStream {
  const { route, res, ctx } = exchange;
  const { keepaliveEvent } = route;
  return new EventStream(res, ctx.openStreams, {
    format,
    headers: flatToRecord(exchange.headers),
    shutdownEvent: errorEvent(exchange, new AppError('SERVICE_UNAVAILABLE', 'the service is restarting')),
    shutdownEventName: route.errorEventName,
    ...(keepaliveEvent === undefined ? {} : { keepaliveEvent }),
  });
}

async function pump(
  stream: EventStream,
  format: StreamFormat,
  first: IteratorResult<GenerateResponse>,
  frames: Frames,
  copy: AnswerCopy | undefined,
): Promise<void> {
  for (let item = first; !item.done; item = await frames.next()) {
    const { data, event, more, usage, hasFailed } = item.value;
    let full: Promise<void> | undefined;
    if (data.length > 0) full = send(stream, format, data, event, copy);
    for (const each of more) full = send(stream, format, each.data, each.event, copy) ?? full;
    if (usage && !hasFailed && copy) copy.isComplete = true;
    // A stream under a key is generated to its end for the repeat, also while its client does not read.
    if (full && !copy) await full;
    if (stream.isOpen || copy) continue;
    await frames.return?.();
    return;
  }
}

function send(
  stream: EventStream,
  format: StreamFormat,
  data: Uint8Array,
  event: string,
  copy: AnswerCopy | undefined,
): Promise<void> | undefined {
  if (copy) keep(copy.chunks, format, data, event);
  return stream.send(data, event === '' ? undefined : { event });
}

function keep(chunks: Uint8Array[], format: StreamFormat, data: Uint8Array, event: string): void {
  const head = format === 'ndjson' ? '' : `${event === '' ? '' : `event: ${event}\n`}data: `;
  chunks.push(Buffer.from(head), data, Buffer.from(format === 'ndjson' ? '\n' : '\n\n'));
}

function errorEvent({ route, ids, audience }: HotExchange, thrown: unknown): string {
  return route.errorEvent(errorForAudience(asAppError(thrown), audience), ids.requestId);
}

function errorName({ route }: HotExchange): { event: string } | undefined {
  return route.errorEventName === undefined ? undefined : { event: route.errorEventName };
}
