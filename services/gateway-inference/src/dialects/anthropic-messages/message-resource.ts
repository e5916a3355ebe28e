import type { AnswerToolCall, ModelAnswer, StopReason, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';

type Json = Record<string, unknown>;

/** The whole answer of a plain call as JSON. */
export function messageAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const content: Json[] = answer.text === '' ? [] : [textBlock(answer.text)];
  for (const call of answer.toolCalls) content.push(toolUseBlock(call, inputOf(call)));
  return JSON.stringify({
    ...messageHead(info),
    content,
    ...messageEnding(answer),
    usage: wholeUsage(usage),
  });
}

/** What of a message is known from its start. */
export function messageHead(info: TurnInfo): Json {
  return {
    id: `msg_${info.requestId}`,
    type: 'message',
    role: 'assistant',
    model: info.model,
    container: null,
    diagnostics: null,
  };
}

export interface MessageEnding {
  stop_reason: string;
  stop_sequence: string | null;
  stop_details: { type: 'refusal'; category: null; explanation: null } | null;
}

/** Not every provider says that a stop sequence ended an answer, or which: then it has ended by itself. */
export function messageEnding(answer: Pick<ModelAnswer, 'stopReason' | 'stopSequence'>): MessageEnding {
  const { stopSequence } = answer;
  const stopReason = stopSequence === undefined ? stopReasonOf(answer.stopReason) : 'stop_sequence';
  const details = stopReason === 'refusal' ? { type: 'refusal' as const, category: null, explanation: null } : null;
  return { stop_reason: stopReason, stop_sequence: stopSequence ?? null, stop_details: details };
}

/** Cache counters stand beside the input tokens in this dialect; with us they are parts of them. */
export function messageUsage(usage: TokenUsage): Json {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens, reasoningTokens } = usage;
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadInputTokens - cacheWriteInputTokens),
    cache_creation_input_tokens: cacheWriteInputTokens,
    cache_read_input_tokens: cacheReadInputTokens,
    output_tokens: outputTokens,
    output_tokens_details: reasoningTokens > 0 ? { thinking_tokens: reasoningTokens } : null,
    server_tool_use: null,
  };
}

/** Of a whole message: how it was served, too, which is the provider's own affair. */
export function wholeUsage(usage: TokenUsage): Json {
  return { ...messageUsage(usage), cache_creation: null, inference_geo: null, service_tier: null, speed: null };
}

/** Of the last events of a stream only `message_delta` has usage. */
export function withUsage(json: string, usage: TokenUsage, isEvent: boolean): string {
  const body = JSON.parse(json) as Json;
  if (!isEvent) return JSON.stringify({ ...body, usage: wholeUsage(usage) });
  return body.type === 'message_delta' ? JSON.stringify({ ...body, usage: messageUsage(usage) }) : json;
}

export function textBlock(text: string): Json {
  return { type: 'text', text };
}

export function toolUseBlock({ id, name }: Pick<AnswerToolCall, 'id' | 'name'>, input: unknown): Json {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

function stopReasonOf(reason: StopReason): string {
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
      return 'end_turn';
  }
}

/** Arguments that were cut off are no JSON; the stop reason says so. */
function inputOf(call: AnswerToolCall): unknown {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
