import { EventStreamCodec } from '@smithy/eventstream-codec';

/** Name of an event and its payload. */
export type AmazonEvent = [event: string, payload: object];

const codec = new EventStreamCodec(
  (input) => Buffer.from(input as Uint8Array).toString('utf8'),
  (input) => Buffer.from(input, 'utf8'),
);

/** Returns events in AWS's frames. The name of an exception ends with `Exception`; `error:…` is an error without a payload. */
export function toAmazonFrames(events: readonly AmazonEvent[]): Buffer {
  return Buffer.concat(events.map(toFrame));
}

/** Returns the vendor's own events as chunks of a streamed InvokeModel. */
export function toChunks(events: readonly object[]): AmazonEvent[] {
  return events.map((event) => ['chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abc' }]);
}

function toFrame([event, payload]: AmazonEvent): Uint8Array {
  const text = (value: string) => ({ type: 'string', value }) as const;
  const body = Buffer.from(JSON.stringify(payload));
  if (event.startsWith('error:')) {
    const headers = {
      ':message-type': text('error'),
      ':error-code': text(event.slice('error:'.length)),
      ':error-message': text(String((payload as { message?: unknown }).message)),
    };
    return codec.encode({ headers, body: new Uint8Array() });
  }
  const isException = event.endsWith('Exception');
  const headers = {
    [isException ? ':exception-type' : ':event-type']: text(event),
    ':content-type': text('application/json'),
    ':message-type': text(isException ? 'exception' : 'event'),
  };
  return codec.encode({ headers, body });
}
