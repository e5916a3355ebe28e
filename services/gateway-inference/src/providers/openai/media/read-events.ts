import type { ProviderId } from '@tollgate/api/model-requests';
import { createParser } from 'eventsource-parser';
import { ProviderFailure } from '../../../domain/provider-failure.js';
import { type Json, parseObject } from '../../convert/answer-reading.js';
import { Utf8Text } from '../../transport/http-exchange.js';
import { toStreamFailure } from '../upstream-error.js';

const EVENT_CHARS_MAX = 8 * 1024 * 1024;

export interface EventSource {
  provider: ProviderId;
  providerRequestId: string | undefined;
  body: AsyncIterable<Uint8Array>;
  /** The type of the event that ends a complete answer. */
  lastType: string;
}

/**
 * Yields the events of an answer, up to the last one. The source is read only when the reader asks, so at most the events of one
 * chunk wait here.
 *
 * @throws ProviderFailure if the answer breaks off or is unreadable, after the events before it
 */
export async function* readEvents({ provider, providerRequestId, body, lastType }: EventSource): AsyncGenerator<Json> {
  const waiting: Json[] = [];
  const text = new Utf8Text();
  let failure: ProviderFailure | undefined;
  let hasEnded = false;
  const fail = (kind: 'transport' | 'invalid_response', cause?: unknown): void => {
    failure ??= new ProviderFailure({ kind, provider, providerRequestId, cause });
  };
  const parser = createParser({
    onEvent({ data }) {
      if (hasEnded || failure || data === '' || data === '[DONE]') return;
      const event = parseObject(data);
      if (!event) fail('invalid_response');
      else if (event.error || event.type === 'error') failure = toStreamFailure(provider, event, providerRequestId);
      else {
        waiting.push(event);
        hasEnded = event.type === lastType;
      }
    },
    onError: (error) => error.type === 'max-buffer-size-exceeded' && fail('invalid_response', error),
    maxBufferSize: EVENT_CHARS_MAX,
  });
  for await (const chunk of body) {
    parser.feed(text.decode(Buffer.from(chunk)));
    for (let event = waiting.shift(); event; event = waiting.shift()) yield event;
    if (failure) throw failure;
  }
  if (hasEnded) return;
  fail('transport', new Error('the stream ended without its final event'));
  throw failure;
}
