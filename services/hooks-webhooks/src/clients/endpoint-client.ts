import type { AttemptResult } from '../domain/retry-policy.js';

/** One POST to an owner's endpoint. */
export interface EndpointRequest {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Bound of the whole exchange. */
  timeoutMs: number;
  signal: AbortSignal;
}

/** What came of it; `responseBody` is its beginning, for people. */
export type EndpointAnswer = AttemptResult & { responseBody?: string };

/** Calls URLs that owners supply. Never throws: every failure is an answer. */
export interface EndpointClient {
  post(request: EndpointRequest): Promise<EndpointAnswer>;
  stop(): Promise<void>;
}
