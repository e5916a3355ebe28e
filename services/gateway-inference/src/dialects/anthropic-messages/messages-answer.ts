import { type JsonObject, parseExactJson, writeExactJson } from '@tollgate/runtime';
import {
  type AnswerToolCall,
  isErrorReason,
  type ModelAnswer,
  type StopReason,
  type TokenUsage,
} from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { estimatedMark } from '../../domain/usage.js';

/** Returns the whole answer of a plain call as JSON. */
export function messageAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const content: JsonObject[] = answer.text === '' ? [] : [textBlock(answer.text)];
  for (const call of answer.toolCalls) content.push(toolUseBlock(call, parseInput(call)));
  return writeExactJson({
    ...messageHead(info),
    content,
    ...toMessageOutcome(answer),
    usage: wholeUsage(usage),
  });
}

/** Returns the members of a message that are known from its start. */
export function messageHead(info: TurnInfo): JsonObject {
  return {
    id: `msg_${info.requestId}`,
    type: 'message',
    role: 'assistant',
    model: info.model,
    container: null,
    diagnostics: null,
  };
}

interface MessageOutcome {
  stop_reason: string;
  stop_sequence: string | null;
  stop_details: { type: 'refusal'; category: null; explanation: null } | null;
}

/** Converts the stop reason. An answer whose provider reports no stop sequence ended with `end_turn`. */
export function toMessageOutcome(answer: Pick<ModelAnswer, 'stopReason' | 'stopSequence'>): MessageOutcome {
  const { stopSequence } = answer;
  const stopReason = stopSequence === undefined ? toStopReason(answer.stopReason) : 'stop_sequence';
  const details = stopReason === 'refusal' ? { type: 'refusal' as const, category: null, explanation: null } : null;
  return { stop_reason: stopReason, stop_sequence: stopSequence ?? null, stop_details: details };
}

/** Converts usage. Input tokens exclude the cache counters in this dialect; in ours they include them. */
export function messageUsage(usage: TokenUsage): JsonObject {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens, reasoningTokens, searches } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadInputTokens - cacheWriteInputTokens),
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cacheReadInputTokens,
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens > 0 ? { thinking_tokens: reasoningTokens } : null,
    server_tool_use: searches ? { web_search_requests: searches, web_fetch_requests: 0 } : null,
    ...estimatedMark(usage),
  };
}

/** Returns the usage of a whole message, with members about how it was served, which are unknown. */
export function wholeUsage(usage: TokenUsage): JsonObject {
  return { ...messageUsage(usage), cache_creation: null, inference_geo: null, service_tier: null, speed: null };
}

/** Replaces the usage of a message, or of a stream's `message_delta`, the only last event that has it. */
export function withUsage(json: string, usage: TokenUsage, isEvent: boolean): string {
  const body = parseExactJson(json) as JsonObject;
  if (!isEvent) return writeExactJson({ ...body, usage: wholeUsage(usage) });
  return body.type === 'message_delta' ? JSON.stringify({ ...body, usage: messageUsage(usage) }) : json;
}

export function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}

export function toolUseBlock({ id, name }: Pick<AnswerToolCall, 'id' | 'name'>, input: unknown): JsonObject {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

function toStopReason(reason: StopReason): string {
  switch (reason) {
    case 'max_tokens':
    case 'tool_use':
    case 'refusal':
    case 'stop_sequence':
    case 'pause_turn':
    case 'model_context_window_exceeded':
      return reason;
    case 'content_filter':
      return 'refusal';
    default:
      return isErrorReason(reason) ? 'refusal' : 'end_turn';
  }
}

/** Parses arguments. Arguments that were cut off are not JSON; the stop reason reports that. */
function parseInput(call: AnswerToolCall): unknown {
  try {
    const value = parseExactJson(call.arguments);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
