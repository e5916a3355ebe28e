import type { UsageRecorded } from '@tollgate/contracts/events/v1/usage_pb.js';
import { type RequestDetail, readTraceId, toSettledDetail } from './request-detail.js';

export type RequestStatus = 'succeeded' | 'failed' | 'refused' | 'unreported';

/** One request as owners' reports show it. */
export interface RequestEntry {
  /** The id of its hold. */
  id: string;
  /** When it ended. */
  at: Date;
  accountId: string;
  projectId: string;
  status: RequestStatus;
  /** `X-Service-Request-Id` if the client chose it; null: as `id`. */
  clientRequestId: string | null;
  customerId: string | null;
  keyId: string | null;
  tierCode: string | null;
  model: string | null;
  provider: string | null;
  httpStatus: number | null;
  errorCode: string | null;
  stopReason: string | null;
  isStream: boolean;
  isCached: boolean;
  isEstimated: boolean;
  inputTokens: bigint;
  outputTokens: bigint;
  cacheReadInputTokens: bigint;
  cacheWriteInputTokens: bigint;
  reasoningTokens: bigint;
  images: number;
  /** Charged to the customer. */
  revenueMicrocents: bigint;
  /** Provider cost: charged to the owner, or the project's own for its own connections. */
  costMicrocents: bigint;
  overrunMicrocents: bigint;
  unreconciledMicrocents: bigint;
  durationMs: bigint | null;
  /** Streams only. */
  firstOutputMs: bigint | null;
  /** Absent in lists, as is `detail`. */
  traceId?: string | null;
  detail?: RequestDetail | null;
}

/** A request that admission refused. */
export type Refusal = Pick<
  RequestEntry,
  | 'id'
  | 'at'
  | 'accountId'
  | 'projectId'
  | 'customerId'
  | 'keyId'
  | 'tierCode'
  | 'model'
  | 'httpStatus'
  | 'isStream'
  | 'traceId'
  | 'detail'
> & { requestId: string; errorCode: string; durationMs: number };

/** Returns the entry of a request that the ledger has settled at `at`. */
export function toSettledEntry(recorded: UsageRecorded, at: Date, traceparent?: string): RequestEntry {
  const { facts, usage } = recorded;
  return {
    id: recorded.holdId,
    at,
    accountId: recorded.accountId,
    projectId: recorded.projectId,
    status: toStatus(recorded),
    clientRequestId: toClientId(recorded.requestId, recorded.holdId),
    customerId: recorded.customerId || null,
    keyId: recorded.keyId || null,
    tierCode: recorded.tierCode || null,
    model: recorded.modelId || null,
    provider: recorded.provider || null,
    httpStatus: facts?.status || null,
    errorCode: facts?.errorCode || null,
    stopReason: facts?.stopReason || null,
    isStream: facts?.streaming ?? false,
    isCached: facts?.executionOrigin === 'response_cache',
    isEstimated: usage?.estimated ?? false,
    inputTokens: usage?.inputTokens ?? 0n,
    outputTokens: usage?.outputTokens ?? 0n,
    cacheReadInputTokens: usage?.cacheReadInputTokens ?? 0n,
    cacheWriteInputTokens: usage?.cacheWriteInputTokens ?? 0n,
    reasoningTokens: usage?.reasoningTokens ?? 0n,
    images: usage?.images ?? 0,
    revenueMicrocents: recorded.customerMicrocents,
    costMicrocents: recorded.providerMicrocents + (usage?.ownProviderMicrocents ?? 0n),
    overrunMicrocents: recorded.overrunMicrocents,
    unreconciledMicrocents: recorded.unreconciledMicrocents,
    // Releases of unused holds, which have failed, come without a time.
    durationMs: facts?.success ? facts.durationMs : facts?.durationMs || null,
    firstOutputMs: facts?.firstOutputMs ?? null,
    traceId: readTraceId(traceparent),
    detail: toSettledDetail(facts),
  };
}

export function toRefusedEntry({ requestId, durationMs, ...refusal }: Refusal): RequestEntry {
  return {
    ...refusal,
    status: 'refused',
    clientRequestId: toClientId(requestId, refusal.id),
    provider: null,
    stopReason: null,
    isCached: false,
    isEstimated: false,
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadInputTokens: 0n,
    cacheWriteInputTokens: 0n,
    reasoningTokens: 0n,
    images: 0,
    revenueMicrocents: 0n,
    costMicrocents: 0n,
    overrunMicrocents: 0n,
    unreconciledMicrocents: 0n,
    durationMs: BigInt(Math.round(durationMs)),
    firstOutputMs: null,
  };
}

/** Without facts, the request was charged by a version that sent none, or nothing is known about how it was answered. */
function toStatus({
  facts,
  unreconciledMicrocents,
  customerMicrocents,
  providerMicrocents,
}: UsageRecorded): RequestStatus {
  if (facts) return facts.success ? 'succeeded' : 'failed';
  const isCharged = customerMicrocents > 0n || providerMicrocents > 0n;
  return isCharged && unreconciledMicrocents === 0n ? 'succeeded' : 'unreported';
}

function toClientId(requestId: string, holdId: string): string | null {
  return requestId === '' || requestId === holdId ? null : requestId;
}
