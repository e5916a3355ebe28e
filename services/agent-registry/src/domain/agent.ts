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

interface AgentReference {
  slug: string;
  /** undefined = current */
  revision: number | undefined;
}

const form = /^([A-Za-z0-9][A-Za-z0-9._-]{0,127})(?:@([1-9][0-9]{0,9}))?$/;
const REVISION_MAX = 2_147_483_647;

/** Reads `slug` or `slug@revision`; undefined = neither. */
export function parseAgentReference(text: string): AgentReference | undefined {
  const match = form.exec(text);
  if (!match?.[1]) return undefined;
  const revision = match[2] === undefined ? undefined : Number(match[2]);
  if (revision !== undefined && revision > REVISION_MAX) return undefined;
  return { slug: match[1], revision };
}
