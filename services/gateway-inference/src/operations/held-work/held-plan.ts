import type { ProviderId } from '@tollgate/api/model-requests';
import type { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { GenAiOperation } from '../../domain/gen-ai.js';
import type { KeyPool } from '../../providers/connections/key-pool.js';
import type { HeldUsage } from './outcome.js';

/** One provider that can do the work. */
export interface HeldRoute {
  readonly provider: { readonly id: ProviderId };
  /** The id of the connection. */
  readonly connection: string;
  readonly upstreamModel: string;
  /** The keys of the connection; absent if it has none to choose from. */
  readonly keys?: Pick<KeyPool, 'hasOther'> | undefined;
  /** Present of a connection of the project itself: the owner account is not charged for its provider. */
  readonly ownCircuits?: object | undefined;
}

export interface HeldPlan<Route extends HeldRoute> {
  readonly call: Call;
  readonly holdId: string;
  readonly modelId: string;
  /** Absent: a chat. */
  readonly operation?: GenAiOperation;
  /** At least one; asked in order. */
  readonly routes: readonly Route[];
  readonly isStream: boolean;
  /** `response_cache`: nothing is served, and nothing is charged. */
  readonly executionOrigin: 'provider' | 'response_cache';
  /** By the monotonic clock. */
  readonly startedAt: number;
  /** The caller waits for the settlement as long as its call lasts. */
  readonly awaitsSettlement: boolean;
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
