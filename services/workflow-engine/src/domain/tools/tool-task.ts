import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { RunFailure } from '../failure.js';
import type { AgentPin, Rehearsal, ToolRoute } from '../plan/plan.js';
import type { StepRef } from '../step/model-step.js';
import type { ToolCall } from './tool-calls.js';

/** One tool call that the service must answer. */
export interface ToolTask {
  /** The step that made the call. */
  ref: StepRef;
  holdId: string;
  position: number;
  call: ToolCall;
  principal: Principal;
  /** W3C context of the run. */
  traceparent?: string | undefined;
  sessionId: string | null;
  /** Set for an agent's tool that is not executed by name. */
  route: ToolRoute | undefined;
  /** The agent that the node acts for. */
  agent: AgentPin | undefined;
  rehearsal: Rehearsal | undefined;
  /** The time until the node's deadline. */
  remainingMs: number;
  /** The time limit of one try, and the failure when it is reached. */
  tryMs: number;
  timeout: RunFailure;
}
