import type { ProviderId } from '@tollgate/api/model-requests';

/** The facts about a turn that are known from its start, for the writers of its answer. */
export interface TurnInfo {
  requestId: string;
  /** The name under which the client knows the model. */
  model: string;
  /** The provider in use; a fallback before the first byte changes it. */
  provider: ProviderId;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Parameters that the provider in use lacks and did not receive; absent if none. */
  droppedParameters?: string[];
}
