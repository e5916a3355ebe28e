import { ProviderFailure, type ProviderFailureKind } from '../../domain/provider-failure.js';

/** The actions that the phrases in the last user text request of the sandbox. */
export interface Script {
  failure: ScriptedFailure | undefined;
  /** Delay before the first token. */
  waitMs: number;
  /** Delay before each further token. */
  slowMs: number;
  /** Function to call, in the text's spelling. */
  tool: string | undefined;
  /** Length of the answer, if the text sets one. */
  words: number | undefined;
}

type ScriptedFailure = '429' | '500' | '402' | 'timeout' | 'cut';

const WAIT_MS_MAX = 600_000;
const SLOW_MS_MAX = 60_000;
const WORDS_MAX = 100_000;

/** Finds `fail with …`, `wait N ms`, `slow N ms`, `call tool NAME` and `write N words`, in any case and place. */
export function readScript(text: string): Script {
  const words = number(/\bwrite (\d{1,9}) words?\b/i, text);
  return {
    failure: /\bfail with (429|500|402|timeout|cut)\b/i.exec(text)?.[1]?.toLowerCase() as ScriptedFailure | undefined,
    waitMs: Math.min(number(/\bwait (\d{1,9}) ?ms\b/i, text) ?? 0, WAIT_MS_MAX),
    slowMs: Math.min(number(/\bslow (\d{1,9}) ?ms\b/i, text) ?? 0, SLOW_MS_MAX),
    tool: /\bcall tool ([a-zA-Z0-9_][a-zA-Z0-9_.-]*[a-zA-Z0-9_]|[a-zA-Z0-9_])/i.exec(text)?.[1],
    words: words === undefined ? undefined : Math.min(words, WORDS_MAX),
  };
}

function number(pattern: RegExp, text: string): number | undefined {
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

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
