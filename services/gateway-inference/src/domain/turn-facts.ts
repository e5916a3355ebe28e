import type { ProviderId } from '@tollgate/api';

/** What is known of a turn from its start, for whoever writes its answer. */
export interface TurnFacts {
  requestId: string;
  /** The name under which the client knows the model. */
  model: string;
  /** The provider in use; a fallback before the first byte changes it. */
  provider: ProviderId;
  /** Epoch milliseconds. */
  startedAt: number;
}
