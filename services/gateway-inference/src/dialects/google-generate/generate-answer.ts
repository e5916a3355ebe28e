import { parseExactJson, writeExactJson } from '@tollgate/runtime';
import type { Citation } from '../../domain/citation.js';
import {
  type AnswerToolCall,
  isErrorReason,
  type ModelAnswer,
  type StopReason,
  type TokenUsage,
} from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { estimatedMark } from '../../domain/usage.js';

type Json = Record<string, unknown>;

/** Returns the whole answer of a plain call as JSON. */
export function generateAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const parts: Json[] = answer.text === '' ? [] : [{ text: answer.text }];
  for (const call of answer.toolCalls) parts.push(callPart(call));
  return writeExactJson({ ...lastCandidate(answer, parts), ...usageMember(usage), ...responseHead(info) });
}

/** Returns the members of every response of one turn. */
export function responseHead({ model, requestId }: TurnInfo): Json {
  return { modelVersion: model, responseId: requestId };
}

/** Returns the candidate that ends an answer. A candidate without any part would look like a broken one. */
export function lastCandidate({ stopReason, citations }: ModelAnswer, parts: readonly Json[]): Json {
  const content = { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' };
  const candidate: Json = { content, finishReason: toFinishReason(stopReason), index: 0 };
  if (citations) candidate.groundingMetadata = groundingMetadata(citations);
  return { candidates: [candidate] };
}

/** A function call as a part. Arguments that were cut off are not JSON; the finish reason reports that. */
export function callPart({ id, name, arguments: text }: AnswerToolCall): Json {
  return { functionCall: { id, name, args: parseArguments(text) ?? {} } };
}

/** Returns complete arguments; undefined while they are incomplete. */
export function parseArguments(text: string): object | undefined {
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Converts usage. This dialect counts thoughts separately from the candidates, and the cached part as part of the prompt. */
export function usageMember(usage: TokenUsage): Json {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadInputTokens } = usage;
  const metadata: Json = {
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - reasoningTokens,
    totalTokenCount: inputTokens + outputTokens,
    ...estimatedMark(usage),
  };
  if (reasoningTokens > 0) metadata.thoughtsTokenCount = reasoningTokens;
  if (cacheReadInputTokens > 0) metadata.cachedContentTokenCount = cacheReadInputTokens;
  return { usageMetadata: metadata };
}

/** Replaces the usage of a response; in a stream, each response may have it. */
export function withUsage(json: string, usage: TokenUsage): string {
  return writeExactJson({ ...(parseExactJson(json) as Json), ...usageMember(usage) });
}

/** Source: `FinishReason` of `@google/genai` 3.1. */
function toFinishReason(reason: StopReason): string {
  switch (reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'MAX_TOKENS';
    case 'content_filter':
    case 'refusal':
      return 'SAFETY';
    case 'pause_turn':
      return 'OTHER';
    default:
      return isErrorReason(reason) ? 'OTHER' : 'STOP';
  }
}

function groundingMetadata(citations: readonly Citation[]): Json {
  return { groundingChunks: citations.map(({ url, title }) => ({ web: { uri: url, ...(title ? { title } : {}) } })) };
}
