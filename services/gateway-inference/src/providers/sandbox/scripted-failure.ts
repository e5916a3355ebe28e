import { ProviderFailure, type ProviderFailureKind } from '../../domain/provider-failure.js';
import type { Script } from './script.js';

/** Returns the failure that the phrases of a request ask for, for answers that are not streamed. */
export function scriptedFailure(script: Script, requestId: string): ProviderFailure | undefined {
  switch (script.failure) {
    case 'timeout':
      return sandboxFailure(requestId, 'timeout');
    case '402':
      return sandboxFailure(requestId, 'payment', 402);
    case '429':
      return sandboxFailure(requestId, 'response', 429);
    case '500':
      return sandboxFailure(requestId, 'response', 500);
    case 'cut':
      return sandboxFailure(requestId, 'transport');
    default:
      return undefined;
  }
}

export function sandboxFailure(requestId: string, kind: ProviderFailureKind, status?: number): ProviderFailure {
  const detail = kind === 'response' ? 'the request asked the sandbox to fail' : undefined;
  return new ProviderFailure({ kind, provider: 'sandbox', status, detail, providerRequestId: `sandbox-${requestId}` });
}

/** Resolves after the time, or at once with a failure when the caller leaves. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', gone, { once: true });
    function done(): void {
      signal.removeEventListener('abort', gone);
      resolve();
    }
    function gone(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
  });
}
