import type { EventStreamCodec } from '@smithy/eventstream-codec';
import type { FrameSink, Frames } from '../contract/wire.js';

/** A stream with a larger frame is rejected. AWS bounds a frame to 24 MB; answers of models have a few kilobytes. */
const FRAME_BYTES_MAX = 8 * 1024 * 1024;
/** The length of a frame is its first member. */
const LENGTH_BYTES = 4;
/** A frame without headers and payload: two lengths and two checksums. */
const FRAME_BYTES_MIN = 16;

/** Name of the frames that carry an exception; its data is `{type, message, …}`. */
export const EXCEPTION = 'exception';

let codec: EventStreamCodec | undefined;

/** Loads the decoder, which only connections to Bedrock need. Must have been awaited before frames are opened. */
export async function loadAmazonFrames(): Promise<void> {
  if (codec) return;
  const { createAmazonCodec } = await import('./amazon-codec.js');
  codec ??= createAmazonCodec();
}

/**
 * Reads AWS's binary frames (`application/vnd.amazon.eventstream`): the payload under the name of its event.
 *
 * Source: smithy.io/2.0/aws/amazon-eventstream.html, read 2026-11-30.
 */
export function openAmazonFrames(sink: FrameSink): Frames {
  if (!codec) throw new Error('the decoder of AWS frames is not loaded');
  return new AmazonFrames(codec, sink);
}

class AmazonFrames implements Frames {
  readonly #codec: EventStreamCodec;
  readonly #sink: FrameSink;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  /** Bytes that the next frame needs, as far as known. */
  #neededBytes = LENGTH_BYTES;
  #isOver = false;

  constructor(used: EventStreamCodec, sink: FrameSink) {
    this.#codec = used;
    this.#sink = sink;
  }

  feed(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes < this.#neededBytes) return;
    let bytes = Buffer.concat(this.#waiting);
    while (!this.#isOver && bytes.length >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(0);
      if (length < FRAME_BYTES_MIN || length > FRAME_BYTES_MAX) {
        this.#fail(new Error(`a frame of ${length} bytes`));
        return;
      }
      this.#neededBytes = length;
      if (bytes.length < length) break;
      this.#read(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
      this.#neededBytes = LENGTH_BYTES;
    }
    this.#waiting = [bytes];
    this.#waitingBytes = bytes.length;
  }

  #read(frame: Buffer): void {
    const message = this.#decode(frame);
    if (!message) return;
    const header = (name: string): string => String(message.headers[name]?.value ?? '');
    const text = Buffer.from(message.body).toString('utf8');
    switch (header(':message-type')) {
      case 'event':
        this.#sink.receive(text, header(':event-type'));
        break;
      case 'exception':
        this.#sink.receive(toException(header(':exception-type'), text), EXCEPTION);
        break;
      default:
        this.#sink.receive(
          JSON.stringify({ type: header(':error-code'), message: header(':error-message') }),
          EXCEPTION,
        );
    }
  }

  #decode(frame: Buffer): ReturnType<EventStreamCodec['decode']> | undefined {
    try {
      return this.#codec.decode(frame);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(cause: unknown): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#sink.fail(cause);
  }
}

function toException(type: string, text: string): string {
  try {
    return JSON.stringify({ ...(JSON.parse(text) as object), type });
  } catch {
    return JSON.stringify({ type, message: text });
  }
}
