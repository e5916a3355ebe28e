import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, Continuation, StopReason, TokenUsage } from '../../domain/model-answer.js';
import type { ModelMessage } from '../../domain/model-request.js';
import { argumentsText, figure, filterObjects, textOrUndefined } from '../convert/answer-reading.js';
import type { ToolNames } from '../convert/tool-names.js';

/** The request's properties that are needed to read its answer. */
export interface AskedConverse {
  provider: ProviderId;
  upstreamModel: string;
  names: ToolNames;
}

/** Returns the call of a block; undefined if it is none. */
export function toToolCall({ toolUse }: JsonObject, names: ToolNames): AnswerToolCall | undefined {
  if (!isJsonObject(toolUse)) return undefined;
  const { toolUseId, name, input } = toolUse;
  return { id: String(toolUseId ?? ''), name: names.original(String(name ?? '')), arguments: argumentsText(input) };
}

/** Returns the text of a block. */
export function blockText({ text, citationsContent }: JsonObject): string {
  if (isJsonObject(citationsContent)) return filterObjects(citationsContent.content).map(blockText).join('');
  return textOrUndefined(text) ?? '';
}

/** Returns the reasoning of a block that can be read. */
export function blockReasoning({ reasoningContent }: JsonObject): string {
  const reasoning = isJsonObject(reasoningContent) ? reasoningContent.reasoningText : undefined;
  return isJsonObject(reasoning) ? (textOrUndefined(reasoning.text) ?? '') : '';
}

/** Returns the form in which to send back a message that calls tools: models that reason need their own blocks again. */
export function toContinuation(
  { provider, upstreamModel }: AskedConverse,
  blocks: readonly JsonObject[],
  hasCalls: boolean,
): { continuation?: Continuation } {
  return hasCalls ? { continuation: { provider, upstreamModel, content: { blocks } } } : {};
}

/**
 * Returns the blocks of a message, if this provider and model wrote it. Leaves out blank texts, which the vendor rejects, and reasoning
 * without a signature, which models such as gpt-oss would repeat as their answer.
 *
 * Source: `convert-to-bedrock-chat-messages` of `@ai-sdk/amazon-bedrock` 4.0.186.
 */
export function findKeptBlocks(
  { continuation }: ModelMessage,
  provider: ProviderId,
  upstreamModel: string,
): readonly JsonObject[] | undefined {
  if (continuation?.provider !== provider || continuation.upstreamModel !== upstreamModel) return undefined;
  const { content } = continuation;
  if (!isJsonObject(content) || !Array.isArray(content.blocks)) return undefined;
  return filterObjects(content.blocks).filter(canBeSentBack);
}

function canBeSentBack({ text, reasoningContent }: JsonObject): boolean {
  if (!isJsonObject(reasoningContent)) return typeof text !== 'string' || text.trim() !== '';
  const { redactedContent, reasoningText } = reasoningContent;
  return redactedContent !== undefined || (isJsonObject(reasoningText) && reasoningText.signature !== undefined);
}

/** Converts `stopReason`. Source: StopReason of `@aws-sdk/client-bedrock-runtime` 3.1164. */
export function toStopReason(reason: string): StopReason {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    case 'content_filtered':
    case 'guardrail_intervened':
      return 'content_filter';
    case 'malformed_tool_use':
      return 'malformed_function_call';
    case 'malformed_model_output':
      return 'malformed_response';
    default:
      return reason;
  }
}

/**
 * Converts `usage` of Converse. Input is counted separately from cache reads and writes; their sum is what the model read. Reasoning
 * is part of the output and not counted by itself.
 *
 * Source: docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html and TokenUsage, CacheDetail of
 * `@aws-sdk/client-bedrock-runtime` 3.1164, read 2026-11-30.
 */
export function toTokenUsage(usage: unknown, serviceTier?: unknown): TokenUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const plain = figure(usage.inputTokens);
  const output = figure(usage.outputTokens);
  if (plain === undefined || output === undefined) return undefined;
  const read = figure(usage.cacheReadInputTokens) ?? 0;
  const written = figure(usage.cacheWriteInputTokens) ?? 0;
  const hour = filterObjects(usage.cacheDetails)
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, { inputTokens }) => sum + (figure(inputTokens) ?? 0), 0);
  const tier = isJsonObject(serviceTier) ? serviceTier.type : undefined;
  return {
    inputTokens: plain + read + written,
    outputTokens: output,
    cacheReadInputTokens: read,
    cacheWriteInputTokens: written,
    reasoningTokens: 0,
    ...(hour > 0 ? { cacheWriteHourTokens: Math.min(hour, written) } : {}),
    ...(typeof tier === 'string' && tier !== 'default' ? { serviceTier: tier } : {}),
  };
}
