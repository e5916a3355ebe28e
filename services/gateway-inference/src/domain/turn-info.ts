import type { ProviderId } from '@tollgate/api/model-requests';

/** The facts about a turn that are known from its start, for the writers of its answer. */
export interface TurnInfo {
  /** Part of the ids in the answer: the request's, or the hold's if the answer is stored, because clients choose the former. */
  requestId: string;
  /** The name under which the client knows the model. */
  model: string;
  /** The provider in use; a fallback before the first byte changes it. */
  provider: ProviderId;
  /** Whether the answer is stored for later requests. */
  isStored?: boolean;
  /** Whether the answer is added to the conversation that the request names. */
  isInConversation?: boolean;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Parameters and tools that the provider in use lacks and did not receive; absent if none. */
  droppedParameters?: string[];
}
