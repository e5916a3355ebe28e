import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { RunFailure } from '../failure.js';
import type { AgentPin, Rehearsal, ToolRoute } from '../plan/plan.js';
import type { StepRef } from '../step/model-step.js';
import type { ToolCall } from './tool-calls.js';

/** One tool call that is to be answered here. */
export interface ToolTask {
  /** The step that asked for it. */
  ref: StepRef;
  holdId: string;
  position: number;
  call: ToolCall;
  principal: Principal;
  sessionId: string | null;
  /** Of an agent's tool that is not executed by its name. */
  route: ToolRoute | undefined;
  /** The agent that asks, or that the node asking acts for. */
  agent: AgentPin | undefined;
  rehearsal: Rehearsal | undefined;
  /** Until the node's deadline. */
  remainingMs: number;
  /** Time of one try, and why it failed when that is up. */
  tryMs: number;
  timeout: RunFailure;
}
