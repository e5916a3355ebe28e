import type { UnderlyingSource } from 'node:stream/web';
import type { Dispatcher } from 'undici';
import { type OutgoingRequest, toDispatch } from './exchange.js';
import { FailureError, failure, type SafeFetchFailure, type SafeFetchResponse, toFailure } from './outcome.js';

/** Bytes that wait for the reader; the connection is not read until then. */
const BUFFERED_BYTES_MAX = 65_536;

/** An answer whose body arrives. A failure of the body rejects the reads with a `FailureError`. */
export interface SafeFetchStream extends Omit<SafeFetchResponse, 'body' | 'truncated'> {
  /** Cancel it to close the connection. */
  body: ReadableStream<Uint8Array>;
}

export interface StreamLimits {
  bodyBytesMax: number;
  /** Ends the request at any point; its reason is a `FailureError`. */
  expiry: AbortSignal;
  remoteAddress: string;
  /** Called once when the body has ended, failed or was canceled; not for a request without an answer. */
  onClose(): void;
}

const notWanted = new FailureError(failure('canceled', 'the rest of the answer is not wanted'));

/** One request on a pool. Returns the answer when its head arrives. */
export function exchangeStream(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  { bodyBytesMax, expiry, remoteAddress, onClose }: StreamLimits,
): Promise<SafeFetchStream | SafeFetchFailure> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: ReadableStreamDefaultController<Uint8Array> | undefined;
    let received = 0;
    let isEnded = false;

    function end(failed?: SafeFetchFailure, abortReason?: Error): void {
      if (isEnded) return;
      isEnded = true;
      expiry.removeEventListener('abort', onExpiry);
      if (!body) resolve(failed ?? failure('protocol', 'the answer has no status', { reached: true }));
      else {
        if (failed) body.error(new FailureError(failed));
        else if (!abortReason) body.close();
        onClose();
      }
      if (abortReason) controller?.abort(abortReason);
    }
    function onExpiry(): void {
      end(toFailure(expiry.reason, controller !== undefined), expiry.reason);
    }
    const source: UnderlyingSource<Uint8Array> = {
      start(started: ReadableStreamDefaultController<Uint8Array>) {
        body = started;
      },
      pull: () => controller?.resume(),
      cancel: () => end(undefined, notWanted),
    };

    expiry.addEventListener('abort', onExpiry);
    if (expiry.aborted) return onExpiry();
    dispatcher.dispatch(toDispatch(request), {
      onRequestStart(started) {
        controller = started;
        // The request has ended while it waited for a connection: nothing is sent.
        if (isEnded) started.abort(expiry.reason);
      },
      onResponseStart(_controller, status, headers) {
        // Interim answers (103 …) arrive here, too.
        if (isEnded || status < 200) return;
        const queue = new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES_MAX });
        resolve({ ok: true, status, headers, remoteAddress, body: new ReadableStream(source, queue) });
      },
      onResponseData(started, chunk) {
        if (isEnded || !body) return;
        received += chunk.length;
        if (received > bodyBytesMax) {
          const tooLarge = failure('too_large', `the answer exceeds ${bodyBytesMax} bytes`, { reached: true });
          return end(tooLarge, new FailureError(tooLarge));
        }
        body.enqueue(new Uint8Array(chunk));
        if ((body.desiredSize ?? 0) <= 0) started.pause();
      },
      onResponseEnd: () => end(),
      onResponseError: (_controller, error) => end(toFailure(error, controller !== undefined)),
    });
  });
}
