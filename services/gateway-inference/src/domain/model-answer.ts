/** Why a model stopped, in the words of the native contract; others of a provider pass through. */
export type StopReason = 'stop' | 'max_tokens' | 'tool_use' | 'content_filter' | 'refusal' | (string & {});

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
}

/** How a model call ended well. For a streamed call text and tool calls have been told piece by piece. */
export interface ModelAnswer {
  responseId: string;
  stopReason: StopReason;
  text: string;
  toolCalls: readonly AnswerToolCall[];
  /** Absent when the provider gave no figure. */
  usage: TokenUsage | undefined;
  /** The provider's own body, ready to be forwarded because the client speaks the same dialect. */
  forwarded?: Uint8Array;
}
