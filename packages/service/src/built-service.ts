import type { Subscription } from '@tollgate/events';
import type { Registration } from '@tollgate/rpc';
import type { Stoppable } from '@tollgate/runtime';

/** Returned by the `build` of a service. */
export interface BuiltService {
  /** The RPC services that it serves. */
  rpc: readonly Registration[];
  consumers?: readonly Subscription[];
  /** True: the service starts while the event transport is unavailable, and subscribes later. */
  consumesInBackground?: boolean;
  /** True: most calls work without its database, so a failed one only degrades it. */
  servesWithoutDatabase?: boolean;
  /** Opens a server in addition to gRPC. It starts after the consumers and drains right after gRPC. */
  listen?(): Promise<Stoppable & { address: string }>;
  /** Runs first in a stop, before calls drain: ends work that would delay the drain. */
  onDrain?(): void;
  /** Checked by every readiness probe; returns the reason why the process should get no calls now. */
  notReadyBecause?(): string | undefined;
}
