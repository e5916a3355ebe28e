import type { ResponsesBody } from '@tollgate/api';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { RunFailure } from '../failure.js';
import type { AttemptRef } from './next-attempt.js';

/** The key of a journal entry. */
export interface StepRef extends AttemptRef {
  runId: string;
  nodeId: string;
}

/** One attempt of a model step, its intent being in the journal. */
export interface ModelStep {
  ref: StepRef;
  /** Id of the hold, of the model call, and of its settlement. */
  holdId: string;
  /** An attempt whose outcome was lost: the customer pays for this one instead. */
  supersedes: string | undefined;
  /** Its hold may have been requested before, by this process or by another one. */
  isResumed: boolean;
  request: ResponsesBody;
  /** Whether its text is told as it comes. */
  isStream: boolean;
  /** Model calls of the node's present attempt, this one included. */
  callsMade: number;
  principal: Principal;
  /** Until the node's deadline by the database's clock, or its step's. */
  remainingMs: number;
  /** Why it failed when that time is up. */
  timeout: RunFailure;
  /** The run whose answer this step gets, instead of a call. */
  replayOf: string | undefined;
}

/** Structured output has no text to tell piece by piece, and the image tool cannot be streamed. */
export function isStreamable(request: ResponsesBody): boolean {
  if (request.output_format && request.output_format.type !== 'text') return false;
  return !request.tools?.some((tool) => tool.type === 'image_generation');
}

export const NODE_TIMEOUT_MESSAGE = 'the node did not end in time';
