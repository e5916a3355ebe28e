import type { AgentInputSchema, Fragment, ToolFailurePolicy, ToolRef } from '@tollgate/api/runs';

/** Fields that may change without a new revision. */
export interface AgentProfile {
  name: string;
  description: string;
}

/** Fields that a revision freezes. Empty text = not set. */
export interface AgentConfig {
  system: string;
  model: string;
  tools: ToolRef[];
  fragments: Record<string, Fragment>;
  /** Undefined = free text. */
  inputSchema: AgentInputSchema | undefined;
  maxSteps: number;
  maxDurationSec: number;
  stepTimeoutSec: number;
  toolFailurePolicy: ToolFailurePolicy;
  /** As set by the client; `effectiveRetryCount` returns the count that applies. */
  toolRetryCount: number | undefined;
}

export interface Agent extends AgentProfile {
  id: string;
  projectId: string;
  slug: string;
  currentRevision: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface AgentVersion {
  revision: number;
  config: AgentConfig;
  createdAt: Date;
}

export interface AgentSnapshot {
  agent: Agent;
  version: AgentVersion;
}
