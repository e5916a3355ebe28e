import { EventStreamCodec } from '@smithy/eventstream-codec';

/** The decoder of AWS's frames. Imported dynamically: only connections to Bedrock need the package. */
export function createAmazonCodec(): EventStreamCodec {
  return new EventStreamCodec(
    (input) => Buffer.from(input as Uint8Array).toString('utf8'),
    (input) => Buffer.from(input, 'utf8'),
  );
}
