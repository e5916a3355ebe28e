import { type CompatibleResponsesBody, toResponseHead } from '@tollgate/api/compatible';
import { isErrorReason, type ModelAnswer, type StopReason, type TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { estimatedMark } from '../../domain/usage.js';
import { REFUSAL_TEXT } from '../refusal-text.js';
import { callForms } from './declared-tools.js';
import { callItem } from './written-calls.js';

type Json = Record<string, unknown>;

/** How an answer ended, in this dialect. */
export interface ResponseOutcome {
  status: 'completed' | 'incomplete';
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** Returns the whole answer of a plain call as JSON. */
export function responseAnswer(
  info: TurnInfo,
  answer: ModelAnswer,
  usage: TokenUsage,
  body: CompatibleResponsesBody,
): string {
  const outcome = toResponseOutcome(answer.stopReason);
  const output: Json[] = [];
  if (answer.text !== '' || answer.toolCalls.length === 0) {
    const isRefusal = answer.stopReason === 'refusal';
    const part = isRefusal ? refusalPart(answer.text || REFUSAL_TEXT) : textPart(answer.text);
    output.push(messageItem(messageId(info, 0), [part], outcome.status));
  }
  const formOf = callForms(body);
  for (const call of answer.toolCalls) {
    output.push(callItem(callItemId(info, output.length), call, formOf(call.name), outcome.status));
  }
  return JSON.stringify({ ...responseHead(info, body), ...outcome, output, usage: responseUsage(usage) });
}

/** Returns the members of a response that are known from its start. */
export function responseHead(info: TurnInfo, body: CompatibleResponsesBody): Json {
  const { requestId, model, startedAt, isStored = false, isInConversation = false } = info;
  return toResponseHead({ id: `resp_${requestId}`, model, startedAt, isStored, isInConversation }, body);
}

export function toResponseOutcome(reason: StopReason): ResponseOutcome {
  if (reason === 'max_tokens') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (reason === 'content_filter' || isErrorReason(reason)) {
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  }
  return { status: 'completed', incomplete_details: null };
}

export function responseUsage(usage: TokenUsage): Json {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cacheReadInputTokens,
      cache_write_tokens: usage.cacheWriteInputTokens,
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...estimatedMark(usage),
  };
}

/** Replaces the usage of a response, or of a stream's last event, which has the whole response. */
export function withUsage(json: string, usage: TokenUsage, isEvent: boolean): string {
  const body = JSON.parse(json) as Json;
  const usageOfResponse = responseUsage(usage);
  if (!isEvent) return JSON.stringify({ ...body, usage: usageOfResponse });
  return JSON.stringify({ ...body, response: { ...(body.response as Json), usage: usageOfResponse } });
}

export function messageId(info: TurnInfo, index: number): string {
  return `msg_${info.requestId}_${index}`;
}

export function callItemId(info: TurnInfo, index: number): string {
  return `fc_${info.requestId}_${index}`;
}

export function messageItem(id: string, content: readonly Json[], status: string): Json {
  return { id, type: 'message', status, role: 'assistant', content };
}

export function refusalPart(refusal: string): Json {
  return { type: 'refusal', refusal };
}

export function textPart(text: string): Json {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}
