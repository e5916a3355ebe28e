import type { Fragment, ToolFailurePolicy, ToolRef } from '@tollgate/api/runs';
import type { AgentPin } from '../../plan/plan.js';

/** One revision of an agent, as a plan stores it. */
export interface AgentConfig extends AgentPin {
  system: string;
  /** Absent: the run's request or the customer's tier chooses the model. */
  model?: string;
  tools: readonly ToolRef[];
  fragments: Readonly<Record<string, Fragment>>;
  maxSteps: number;
  maxDurationSec: number;
  stepTimeoutSec: number;
  toolFailurePolicy: ToolFailurePolicy;
  toolRetryCount: number | undefined;
}

/** Agents by the reference that a spec uses for them. A missing agent does not exist. */
export type AgentDirectory = ReadonlyMap<string, AgentConfig>;

export const NO_AGENTS: AgentDirectory = new Map();
