import type { DescMethod } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';
import { type Call, deadlineExceeded } from '../call.js';
import { toMetadata } from '../call-metadata.js';
import { methodDefinition } from '../codec.js';
import { CallLimits } from '../deadlines.js';
import { methodPath } from '../service.js';
import { fromGrpcError, toAppError } from '../wire-errors.js';

type Bidi = grpc.ClientDuplexStream<unknown, unknown>;

/**
 * Returns the client of a bidirectional method. Requests are read from their iterable one by one, as fast as the connection
 * takes them; leaving the loop over the answers cancels the call and ends the iterable.
 */
export function bidiCaller(
  client: grpc.Client,
  method: DescMethod,
): (requests: AsyncIterable<unknown>, call: Call) => AsyncIterable<unknown> {
  const { path, requestSerialize, responseDeserialize } = methodDefinition(method);
  const label = methodPath(method);
  return async function* (requests, call) {
    if (call.remainingMs() <= 0) throw deadlineExceeded(label);
    if (call.isAborted) throw toAppError(call.abortReason);
    const stream = client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, toMetadata(call));
    const limits = new CallLimits(call, label, () => stream.cancel());
    const items = requests[Symbol.asyncIterator]();
    void send(stream, items);
    try {
      for await (const item of stream) yield item;
    } catch (error) {
      throw limits.failure ?? fromGrpcError(error as grpc.ServiceError, label);
    } finally {
      limits.end();
      stream.on('error', () => {}); // the cancellation of a left stream reports itself as an error
      stream.cancel();
      void Promise.resolve(items.return?.()).catch(() => undefined);
    }
  };
}

/** Writes the requests until they end, or the call does. */
async function send(stream: Bidi, items: AsyncIterator<unknown>): Promise<void> {
  try {
    for (;;) {
      const { value, done } = await items.next();
      if (stream.destroyed || stream.writableEnded) return;
      if (done) break;
      if (!stream.write(value)) await writable(stream);
    }
    stream.end();
  } catch {
    stream.cancel();
  }
}

function writable(stream: Bidi): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'close', 'error']) stream.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stream.once(event, done);
  });
}
