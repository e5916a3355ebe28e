import type { ProviderId } from '@tollgate/api/model-requests';
import type { AppError } from '@tollgate/errors';
import type { Citation } from './citation.js';
import type { ToolResult } from './turn-tools.js';

/** Why a model stopped, by the native contract's names. A provider's other reasons pass through. */
export type StopReason = 'stop' | 'max_tokens' | 'tool_use' | 'content_filter' | 'refusal' | (string & {});

/** Reasons of vendors that ended an answer because of an error. The dialects have none of their own for it. */
const errorReasons: ReadonlySet<StopReason> = new Set([
  'error',
  'abort',
  'network_error',
  'insufficient_system_resource',
  'malformed_function_call',
  'malformed_response',
  'unexpected_tool_call',
  'too_many_tool_calls',
  'missing_thought_signature',
  'no_image',
  'image_other',
  'other',
]);

/** Whether the vendor ended the answer because of an error, so that the answer is not complete. */
export function isErrorReason(reason: StopReason): boolean {
  return errorReasons.has(reason);
}

/** The vendor paused the turn; asked again with its own message, it continues. */
export const PAUSED: StopReason = 'pause_turn';

export interface AnswerToolCall {
  id: string;
  name: string;
  /** JSON text exactly as the model wrote it. */
  arguments: string;
}

/** A provider's own count. Cache counters are disjoint parts of `inputTokens`; reasoning is part of `outputTokens`. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheWriteInputTokens: number;
  reasoningTokens: number;
  /** Searches that the provider made itself, which it charges individually. */
  searches?: number;
  /** Code runs at the provider, also charged individually. */
  codeRuns?: number;
  /** Part of `cacheWriteInputTokens` that the provider keeps for an hour, which costs more. */
  cacheWriteHourTokens?: number;
  /** The service tier of the answer, by the provider's name, if it reports one. */
  serviceTier?: string;
  /** Counted by this service, because the provider reported no usage. */
  isEstimated?: boolean;
}

/**
 * An answer in its provider's own form, including parts that `ModelAnswer` cannot represent: signed reasoning, calls of the
 * provider's tools. If the same provider and model continue the conversation, the adapter sends this instead of a translation.
 */
export interface Continuation {
  provider: ProviderId;
  upstreamModel: string;
  /** JSON that only the adapter that wrote it reads. */
  content: unknown;
}

/** The answer of a model call that was cut at its output bound. */
export const RUNAWAY_ANSWER: ModelAnswer = {
  responseId: '',
  stopReason: 'max_tokens',
  text: '',
  toolCalls: [],
  usage: undefined,
};

/** The end of a successful model call. Text and tool calls of a streamed call have been emitted before. */
export interface ModelAnswer {
  responseId: string;
  stopReason: StopReason;
  /** The client's stop sequence that ended the answer, if the provider reports it. */
  stopSequence?: string;
  text: string;
  /** Reasoning of a plain answer, which is measured as output if the provider reports no usage; absent if there is none. */
  reasoning?: string;
  toolCalls: readonly AnswerToolCall[];
  /** Absent when the provider reported no usage. */
  usage: TokenUsage | undefined;
  /** Set when the provider has counted the usage on request, so that its own body does not have it. */
  isUsageCounted?: true;
  /** Without duplicates, in the order of their first mention; absent if there are none. */
  citations?: readonly Citation[];
  /** Set when the answer calls tools or was paused; part of the assistant message that precedes the results. */
  continuation?: Continuation;
  /** Text that the model wrote before it called tools that the service ran; absent if there is none. */
  earlierTexts?: readonly string[];
  /** Results of the tools that the service ran in this turn, in order; absent if there are none. */
  toolResults?: readonly ToolResult[];
  /** Set when the answer is complete but not in the form that was asked for: it is charged, and the turn fails. */
  fault?: AppError;
  /** The provider's own body, ready to be forwarded, if the client speaks the same dialect. */
  forwarded?: Uint8Array;
}

/** Returns everything that the model wrote in a plain answer. */
export function toOutputText(answer: ModelAnswer): string {
  let output = answer.text + (answer.reasoning ?? '');
  for (const call of answer.toolCalls) output += call.name + call.arguments;
  return output;
}
