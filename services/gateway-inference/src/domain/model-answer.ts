import type { ProviderId } from '@tollgate/api';
import type { ToolResult } from './turn-tools.js';

/** Why a model stopped, in the words of the native contract; others of a provider pass through. */
export type StopReason = 'stop' | 'max_tokens' | 'tool_use' | 'content_filter' | 'refusal' | (string & {});

/** The vendor has interrupted itself: asked again with what it has said, it goes on. */
export const PAUSED: StopReason = 'pause_turn';

export interface AnswerToolCall {
  id: string;
  name: string;
  /** JSON text exactly as the model wrote it. */
  arguments: string;
}

/** A provider's own count. Cache counters are disjoint parts of `inputTokens`, reasoning is a part of `outputTokens`. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheWriteInputTokens: number;
  reasoningTokens: number;
  /** Searches that the provider made on its side, which it charges per piece. */
  searches?: number;
  /** Runs of code on the provider's side, likewise. */
  codeRuns?: number;
}

/** A source that the answer leans on, in the contract's words. */
export interface Citation {
  title: string;
  url: string;
}

/**
 * An answer in its provider's own form, with what our words have no place for: signed reasoning, calls of the provider's
 * tools. When the conversation goes on at the same provider and model, the adapter sends this instead of its translation.
 */
export interface Continuation {
  provider: ProviderId;
  upstreamModel: string;
  /** Opaque to all but the adapter that wrote it; JSON. */
  content: unknown;
}

/** How a model call ends that was cut at its output bound. */
export const RUNAWAY_ANSWER: ModelAnswer = {
  responseId: '',
  stopReason: 'max_tokens',
  text: '',
  toolCalls: [],
  usage: undefined,
};

/** How a model call ended well. For a streamed call text and tool calls have been told piece by piece. */
export interface ModelAnswer {
  responseId: string;
  stopReason: StopReason;
  /** Which of the client's stop sequences ended the answer, where its provider says so. */
  stopSequence?: string;
  text: string;
  toolCalls: readonly AnswerToolCall[];
  /** Absent when the provider gave no figure. */
  usage: TokenUsage | undefined;
  /** Each once, in the order of their first mention; absent without any. */
  citations?: readonly Citation[];
  /** Told when the answer calls tools, or was paused; belongs into the assistant message that goes before what follows. */
  continuation?: Continuation;
  /** What the model wrote before it called tools that the service ran; absent without any. */
  earlierTexts?: readonly string[];
  /** Tools that the service ran in this turn, in order; absent without any. */
  toolResults?: readonly ToolResult[];
  /** The provider's own body, ready to be forwarded because the client speaks the same dialect. */
  forwarded?: Uint8Array;
}
