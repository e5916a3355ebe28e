import { randomUUID } from 'node:crypto';
import type { RequestEntry } from '../domain/reports/request-entry.js';

/** Returns the entry of a successful request. */
export function requestEntry(entry: Partial<RequestEntry> & Pick<RequestEntry, 'projectId'>): RequestEntry {
  return {
    id: randomUUID(),
    at: new Date(),
    accountId: randomUUID(),
    status: 'succeeded',
    clientRequestId: null,
    customerId: null,
    keyId: null,
    tierCode: null,
    model: 'sandbox/echo-1',
    provider: 'sandbox',
    httpStatus: 200,
    errorCode: null,
    stopReason: 'stop',
    isStream: false,
    isCached: false,
    isEstimated: false,
    inputTokens: 10n,
    outputTokens: 20n,
    cacheReadInputTokens: 0n,
    cacheWriteInputTokens: 0n,
    reasoningTokens: 0n,
    images: 0,
    revenueMicrocents: 300n,
    costMicrocents: 200n,
    overrunMicrocents: 0n,
    unreconciledMicrocents: 0n,
    durationMs: 100n,
    firstOutputMs: null,
    traceId: null,
    detail: null,
    ...entry,
  };
}
