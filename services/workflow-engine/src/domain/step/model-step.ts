import type { ResponsesBody } from '@tollgate/api/model-requests';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { RunFailure } from '../failure.js';
import type { AttemptRef } from './next-attempt.js';

/** Identifies a journal entry. */
export interface StepRef extends AttemptRef {
  runId: string;
  nodeId: string;
}

/** One attempt of a model step. Its intent is in the journal. */
export interface ModelStep {
  ref: StepRef;
  /** Id of the hold, of the model call, and of its settlement. */
  holdId: string;
  /** The hold of a lost attempt. The customer pays for this attempt instead. */
  supersedes: string | undefined;
  /** Whether a process may have requested its hold before. */
  isResumed: boolean;
  request: ResponsesBody;
  /** Whether its text is streamed. */
  isStream: boolean;
  /** Model calls of the node's current attempt, including this one. */
  callsMade: number;
  principal: Principal;
  /** W3C context of the step. */
  traceparent?: string | undefined;
  /** The time until the deadline of the node or of the step, by the database's clock. */
  remainingMs: number;
  /** The failure to report when that time is over. */
  timeout: RunFailure;
  /** The recorded run whose answer replaces a call. */
  replayOf: string | undefined;
}

/** Whether a request can be streamed. Structured output and the image tool cannot. */
export function isStreamable(request: ResponsesBody): boolean {
  if (request.output_format && request.output_format.type !== 'text') return false;
  return !request.tools?.some((tool) => tool.type === 'image_generation');
}

export const NODE_TIMEOUT_MESSAGE = 'the node did not end in time';
