import { type AppError, toGoogleError } from '@tollgate/errors';
import { type JsonObject, parseExactJson, writeExactJson } from '@tollgate/runtime';
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
import type { StreamEvent, StreamWriter } from '../dialect.js';

/** Returns the whole answer of a plain call as JSON. */
export function generateAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const parts: JsonObject[] = answer.text === '' ? [] : [{ text: answer.text }];
  for (const call of answer.toolCalls) parts.push(callPart(call));
  return writeExactJson({ ...lastCandidate(answer, parts), ...usageMember(usage), ...responseHead(info) });
}

/** Returns the members of every response of one turn. */
function responseHead({ model, requestId }: TurnInfo): JsonObject {
  return { modelVersion: model, responseId: requestId };
}

/** Returns the candidate that ends an answer. A candidate without any part would look like a broken one. */
export function lastCandidate({ stopReason, citations }: ModelAnswer, parts: readonly JsonObject[]): JsonObject {
  const content = { parts: parts.length > 0 ? parts : [{ text: '' }], role: 'model' };
  const candidate: JsonObject = { content, finishReason: toFinishReason(stopReason), index: 0 };
  if (citations) candidate.groundingMetadata = groundingMetadata(citations);
  return { candidates: [candidate] };
}

/** A function call as a part. Arguments that were cut off are not JSON; the finish reason reports that. */
function callPart({ id, name, arguments: text }: AnswerToolCall): JsonObject {
  return { functionCall: { id, name, args: parseArguments(text) ?? {} } };
}

/** Returns complete arguments; undefined while they are incomplete. */
function parseArguments(text: string): object | undefined {
  try {
    const value = parseExactJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Converts usage. This dialect counts thoughts separately from the candidates, and the cached part as part of the prompt. */
function usageMember(usage: TokenUsage): JsonObject {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadInputTokens } = usage;
  const metadata: JsonObject = {
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
  return writeExactJson({ ...(parseExactJson(json) as JsonObject), ...usageMember(usage) });
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

function groundingMetadata(citations: readonly Citation[]): JsonObject {
  return { groundingChunks: citations.map(({ url, title }) => ({ web: { uri: url, ...(title ? { title } : {}) } })) };
}

/** Name of the event that reports an error. The edge sends its data as the vendor does, without a name. */
const ERROR_EVENT = 'error';

/**
 * Writes one response per piece of the answer. A function call is one part with all its arguments, so a call waits until they are
 * complete. The last response has the finish reason and the usage.
 */
export class GenerateStreamWriter implements StreamWriter {
  readonly #head: JsonObject;
  /** Calls that were not sent yet, by the provider's index, in the order of their start. */
  readonly #calls = new Map<number, AnswerToolCall>();

  constructor(info: TurnInfo) {
    this.#head = responseHead(info);
  }

  /** The dialect has no start event. The vendor's library drops an answer with a response that has no candidate or no part. */
  start(): StreamEvent {
    return this.#piece([{ text: '' }]);
  }

  text(delta: string): StreamEvent[] {
    return [...this.#completeCalls(), this.#piece([{ text: delta }])];
  }

  toolCall(index: number, id: string, name: string): StreamEvent[] {
    const events = this.#completeCalls();
    this.#calls.set(index, { id, name, arguments: '' });
    return events;
  }

  toolArguments(index: number, delta: string): undefined {
    const call = this.#calls.get(index);
    if (call) call.arguments += delta;
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[]): StreamEvent[] {
    if (forwarded.length > 0) return [...forwarded];
    const parts = [...this.#calls.values()].map(callPart);
    return [toEvent({ ...lastCandidate(answer, parts), ...usageMember(usage), ...this.#head })];
  }

  error(error: AppError): StreamEvent {
    return { event: ERROR_EVENT, data: JSON.stringify(toGoogleError(error)) };
  }

  /** Sends the calls whose arguments are complete, in order: an incomplete one holds the later ones back. */
  #completeCalls(): StreamEvent[] {
    const parts: JsonObject[] = [];
    for (const [index, call] of this.#calls) {
      if (parseArguments(call.arguments) === undefined) break;
      parts.push(callPart(call));
      this.#calls.delete(index);
    }
    return parts.length > 0 ? [this.#piece(parts)] : [];
  }

  #piece(parts: readonly JsonObject[]): StreamEvent {
    return toEvent({ candidates: [{ content: { parts, role: 'model' }, index: 0 }], ...this.#head });
  }
}

function toEvent(response: JsonObject): StreamEvent {
  return { data: writeExactJson(response) };
}
