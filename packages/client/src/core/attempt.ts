import { TollgateError } from './error.js';
import { readError } from './read-error.js';
import type { PreparedRequest } from './request.js';
import type { Settings } from './settings.js';

export interface Limits {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

export interface Attempt<T> {
  limits: Limits;
  settings: Pick<Settings, 'fetch' | 'timing'>;
  read: (response: Response, controller: AbortController) => Promise<T>;
}

/**
 * Sends a request once, and reads its answer with `read`, all within the time limit.
 *
 * @throws TollgateError for a refusal, a broken connection and the time limit
 * @throws the reason of the caller's signal when it aborts
 */
export async function attempt<T>(
  request: PreparedRequest,
  token: string | undefined,
  { limits: { timeoutMs, signal }, settings, read }: Attempt<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    const response = await settings.fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      signal: controller.signal,
      // Credentials are not sent to another address; `error` is unknown to some edge runtimes.
      redirect: 'manual',
      ...(request.body !== undefined && { body: request.body }),
    });
    if (isRedirect(response)) throw redirectError(response);
    if (!response.ok)
      throw readError(response.status, response.headers, await response.text(), settings.timing.nowMs());
    return await read(response, controller);
  } catch (error) {
    if (error instanceof TollgateError) throw error;
    if (signal?.aborted) throw signal.reason;
    if (isLate) throw timeoutError(`no answer within ${timeoutMs} ms`, error);
    throw connectionError(request.url, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Browsers hide the status of a redirect. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirectError({ status, headers }: Response): TollgateError {
  const target = headers.get('location');
  const text = `the gateway redirects${target === null ? '' : ` to ${target}`}; use that address as baseUrl`;
  return new TollgateError('INVALID_ANSWER', text, { status });
}

export function timeoutError(message: string, cause?: unknown): TollgateError {
  return new TollgateError('TIMEOUT', message, { retryable: true, cause });
}

export function connectionError(url: string, cause: unknown): TollgateError {
  const { origin } = new URL(url);
  const reason = findReason(cause);
  return new TollgateError('CONNECTION_ERROR', `the connection to ${origin} failed: ${reason}`, {
    retryable: true,
    cause,
  });
}

/** `fetch` of Node hides the reason, such as ECONNREFUSED, in the cause of a “fetch failed”. */
function findReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error.cause;
  if (inner instanceof Error) return (inner as { code?: string }).code ?? inner.message;
  return error.message;
}
