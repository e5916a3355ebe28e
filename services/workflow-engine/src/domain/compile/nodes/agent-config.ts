import type { Fragment, ToolFailurePolicy, ToolRef } from '@tollgate/api';
import type { AgentPin } from '../../plan/plan.js';

/** One revision of an agent, as a plan takes it over. */
export interface AgentConfig extends AgentPin {
  system: string;
  /** Absent: whoever runs it says which, or the customer's tier. */
  model?: string;
  tools: readonly ToolRef[];
  fragments: Readonly<Record<string, Fragment>>;
  maxSteps: number;
  maxDurationSec: number;
  stepTimeoutSec: number;
  toolFailurePolicy: ToolFailurePolicy;
  toolRetryCount: number | undefined;
}

/** Agents by the reference under which a spec names them; one that is missing does not exist. */
export type AgentDirectory = ReadonlyMap<string, AgentConfig>;

export const NO_AGENTS: AgentDirectory = new Map();
