import type { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { GenAiOperation } from '../../domain/gen-ai.js';
import type { HeldUsage } from '../../domain/work-state.js';
import type { HeldRoute } from './routes.js';

/**
 * How an answer reaches the caller:
 *
 * - `streamed`: piece by piece, as the provider writes it.
 * - `collected`: whole, from a provider that streams, so that the wait for the head of its answer does not bound a long answer.
 * - `whole`: whole, as the provider sends it.
 */
export type Delivery = 'streamed' | 'collected' | 'whole';

export interface HeldPlan<Route extends HeldRoute> {
  readonly call: Call;
  readonly holdId: string;
  readonly modelId: string;
  /** Absent: a chat. */
  readonly operation?: GenAiOperation;
  /** At least one; asked in order. */
  readonly routes: readonly Route[];
  readonly delivery: Delivery;
  /** `response_cache`: nothing is served, and nothing is charged. */
  readonly executionOrigin: 'provider' | 'response_cache';
  /** By the monotonic clock. */
  readonly startedAt: number;
  /** The caller waits for the settlement as long as its call lasts; absent: until the service's bound. */
  readonly awaitsSettlement?: boolean;
  /** From the arrival of the request until its admission, as the caller measured it. */
  readonly admissionMs?: number | undefined;
}

/** Does the work itself. */
export interface HeldWorker {
  /** Returns the usage so far, for the heartbeat. */
  usedSoFar(): HeldUsage;
  /** The process stops: the worker ends the work with what has been used. */
  cut(): void;
  /** The hold has expired: the worker stops and ends the work with `error`. */
  holdExpired(error: AppError): void;
}
