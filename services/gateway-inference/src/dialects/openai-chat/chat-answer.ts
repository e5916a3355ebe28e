import {
  type AnswerToolCall,
  isErrorReason,
  type ModelAnswer,
  type StopReason,
  type TokenUsage,
} from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { estimatedMark } from '../../domain/usage.js';
import { REFUSAL_TEXT } from '../refusal-text.js';

/** Returns a chat completion as JSON. */
export function chatAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const isRefusal = answer.stopReason === 'refusal';
  const message: Record<string, unknown> = {
    role: 'assistant',
    content: isRefusal || (answer.text === '' && answer.toolCalls.length > 0) ? null : answer.text,
    refusal: isRefusal ? answer.text || REFUSAL_TEXT : null,
  };
  if (answer.toolCalls.length > 0) message.tool_calls = answer.toolCalls.map(chatToolCall);
  return JSON.stringify({
    id: answer.responseId || chatId(info),
    object: 'chat.completion',
    created: Math.floor(info.startedAt / 1000),
    model: info.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer.stopReason) }],
    usage: chatUsage(usage),
  });
}

export function chatId(info: TurnInfo): string {
  return `chatcmpl-${info.requestId}`;
}

/** Converts a stop reason to the closed set of this dialect. */
export function finishReason(reason: StopReason): string {
  switch (reason) {
    case 'max_tokens':
      return 'length';
    case 'tool_use':
      return 'tool_calls';
    case 'content_filter':
      return 'content_filter';
    default:
      return isErrorReason(reason) ? 'content_filter' : 'stop';
  }
}

export function chatUsage(usage: TokenUsage): Record<string, unknown> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadInputTokens,
      cache_write_tokens: usage.cacheWriteInputTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    ...estimatedMark(usage),
  };
}

/** Replaces the usage of a completion, or of the one chunk of a stream that has it. */
export function withUsage(json: string, usage: TokenUsage, isChunk: boolean): string {
  const body = JSON.parse(json) as { usage?: unknown };
  return isChunk && !body.usage ? json : JSON.stringify({ ...body, usage: chatUsage(usage) });
}

function chatToolCall(call: AnswerToolCall): Record<string, unknown> {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
