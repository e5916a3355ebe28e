import type { CheckedLimit } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { RequestFacts } from '@tollgate/contracts/common/v1/usage_pb.js';

/** What only the view of a single request shows; stored as JSON, so amounts are text. */
export interface RequestDetail {
  /** From the arrival of the request until its admission. */
  admissionMs?: number | undefined;
  /** Calls to providers, in order. */
  attempts?: readonly StoredAttempt[];
  /** Of a refused request: the limits that were checked, in order. */
  limits?: readonly StoredLimit[];
}

export interface StoredAttempt {
  provider: string;
  /** The name of the connection; absent in entries of earlier versions. */
  connection?: string;
  /** The connection is the project's own. */
  isOwn?: boolean;
  model: string;
  outcome: string;
  durationMs: number;
  failure?: string;
  status?: number;
}

export interface StoredLimit {
  limit: string;
  available?: string;
  required: string;
  hasRefused: boolean;
}

/** The ledger bounds them; more would be the fault of another version. */
const ATTEMPTS_MAX = 20;
const LIMITS_MAX = 10;

/** Returns null if the facts have none of it, as those of an older version. */
export function toSettledDetail(facts: RequestFacts | undefined): RequestDetail | null {
  if (!facts || (facts.attempts.length === 0 && facts.admissionMs === undefined)) return null;
  const attempts = facts.attempts.slice(0, ATTEMPTS_MAX).map((attempt) => ({
    provider: attempt.provider,
    ...(attempt.connection && { connection: attempt.connection }),
    ...(attempt.isOwn && { isOwn: true }),
    model: attempt.upstreamModel,
    outcome: attempt.outcome,
    durationMs: attempt.durationMs,
    ...(attempt.failure && { failure: attempt.failure }),
    ...(attempt.status && { status: attempt.status }),
  }));
  return { admissionMs: facts.admissionMs, attempts };
}

export function toRefusalDetail(
  limits: readonly CheckedLimit[],
  admissionMs: number | undefined,
): RequestDetail | null {
  if (limits.length === 0 && admissionMs === undefined) return null;
  const checked = limits.slice(0, LIMITS_MAX).map(({ limit, available, required, hasRefused }) => ({
    limit,
    ...(available !== undefined && { available: available.toString() }),
    required: required.toString(),
    hasRefused,
  }));
  return { admissionMs, limits: checked };
}

/** Returns the trace id of a W3C context. */
export function readTraceId(traceparent: string | undefined): string | null {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent ?? '')?.[1] ?? null;
}
