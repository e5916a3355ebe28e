import type { ProviderId } from '@tollgate/api';

/** What is known of a turn from its start, for the writers of its answer. */
export interface TurnInfo {
  requestId: string;
  /** The name under which the client knows the model. */
  model: string;
  /** The provider in use; a fallback before the first byte changes it. */
  provider: ProviderId;
  /** Epoch milliseconds. */
  startedAt: number;
}
