import type { ReasoningMembers } from './reasoning.js';

/** The members of a streamed chunk that are read; each may be missing or have another type. */
export interface ChatChunk {
  id?: unknown;
  model?: unknown;
  object?: unknown;
  error?: unknown;
  choices?: ChatChoice[] | null;
  usage?: unknown;
  service_tier?: unknown;
}

export interface ChatChoice {
  index?: unknown;
  delta?: ChatDelta | null;
  finish_reason?: unknown;
}

export interface ChatDelta extends ReasoningMembers {
  refusal?: unknown;
  annotations?: unknown;
  tool_calls?: ToolCallDelta[] | null;
}

export type ToolCallDelta = { index?: unknown; id?: unknown; function?: { name?: unknown; arguments?: unknown } };
