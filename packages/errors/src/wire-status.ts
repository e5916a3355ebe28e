import type { AppError } from './app-error.js';

/**
 * The HTTP status to send. Never 502 or 504: a provider's error is sent as 500 and a timeout upstream as 503, while the
 * body keeps the original in `status_code` and the header `X-Service-Upstream-Status` repeats it.
 */
export function wireStatus(error: AppError): number {
  if (error.status === 504) return 503;
  if (error.code === 'PROVIDER_ERROR' || error.status === 502) return 500;
  return error.status;
}

/** Value of `X-Service-Upstream-Status`, when there is one. */
export function upstreamStatusHeader(error: AppError): string | undefined {
  return error.upstreamStatus === undefined ? undefined : String(error.upstreamStatus);
}
