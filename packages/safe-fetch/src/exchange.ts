import type { Dispatcher } from 'undici';
import { FailureError, failure, type SafeFetchResult, toFailure } from './outcome.js';
import { type ResponseLimits, responseReader } from './response-reader.js';

/** The request to send. */
export interface OutgoingRequest {
  method: Dispatcher.HttpMethod;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

const readEnough = new FailureError(failure('canceled', 'the rest of the answer is not wanted'));

/**
 * One request on a pool. `expiry` ends it at any point, even while it waits for a connection; its reason is a
 * `FailureError`. Reading stops, and the connection is closed, as soon as the answer exceeds its limits.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  limits: ResponseLimits,
  { expiry, remoteAddress }: { expiry: AbortSignal; remoteAddress: string },
): Promise<SafeFetchResult> {
  return new Promise((resolve) => {
    const reader = responseReader(limits, remoteAddress, request.method === 'HEAD');
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;

    function settle(result: SafeFetchResult | undefined, abortReason?: Error): void {
      if (isSettled || !result) return;
      isSettled = true;
      expiry.removeEventListener('abort', onExpiry);
      resolve(result);
      if (abortReason) controller?.abort(abortReason);
    }
    function onExpiry(): void {
      settle(reader.fail(toFailure(expiry.reason, controller !== undefined)), expiry.reason);
    }

    expiry.addEventListener('abort', onExpiry);
    if (expiry.aborted) return onExpiry();
    dispatcher.dispatch(toDispatch(request), {
      onRequestStart(started) {
        controller = started;
        // The request has ended while it waited for a connection: nothing is sent.
        if (isSettled) started.abort(expiry.reason);
      },
      onResponseStart: (_controller, status, headers) => settle(reader.start(status, headers), readEnough),
      onResponseData: (_controller, chunk) => settle(isSettled ? undefined : reader.data(chunk), readEnough),
      onResponseEnd: () => settle(reader.end()),
      onResponseError: (_controller, error) => settle(reader.fail(toFailure(error, controller !== undefined))),
    });
  });
}

export function toDispatch({ method, path, headers, body }: OutgoingRequest): Dispatcher.DispatchOptions {
  return { method, path, headers, body: typeof body === 'string' ? Buffer.from(body, 'utf8') : (body ?? null) };
}
