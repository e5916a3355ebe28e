import { type AppError, toOpenAiError } from '@tollgate/errors';
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

function chatId(info: TurnInfo): string {
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

/**
 * Writes chunks as the official client's stream reader needs them: the role in the first delta, a tool call's index, id and
 * name once and then its arguments by index, one finish reason, a usage chunk without choices if requested, `[DONE]`.
 */
export class ChatStreamWriter implements StreamWriter {
  #head: string;
  #hasForwarded = false;
  readonly #includeUsage: boolean;
  #hasSaid = false;

  constructor(info: TurnInfo, includeUsage: boolean) {
    const created = Math.floor(info.startedAt / 1000);
    const { model } = info;
    const head = JSON.stringify({ id: chatId(info), object: 'chat.completion.chunk', created, model });
    this.#head = head.slice(0, -1);
    this.#includeUsage = includeUsage;
  }

  start(): StreamEvent {
    return this.#delta('{"role":"assistant","content":"","refusal":null}');
  }

  text(delta: string): StreamEvent {
    this.#hasSaid = true;
    return this.#delta(`{"content":${JSON.stringify(delta)}}`);
  }

  toolCall(index: number, id: string, name: string): StreamEvent {
    this.#hasSaid = true;
    const call = { index, id, type: 'function', function: { name, arguments: '' } };
    return this.#delta(`{"tool_calls":[${JSON.stringify(call)}]}`);
  }

  toolArguments(index: number, delta: string): StreamEvent {
    return this.#delta(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(delta)}}}]}`);
  }

  /** Chunks that follow forwarded ones use their id. */
  forwarded({ data }: StreamEvent): void {
    if (this.#hasForwarded) return;
    this.#hasForwarded = true;
    this.#head = withChunkId(this.#head, data);
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[]): StreamEvent[] {
    const events = [...forwarded];
    const isForwarded = events.length > 0;
    if (!isForwarded) events.push(...this.#finish(answer.stopReason));
    // A forwarded answer with usage has its own usage chunk.
    if (this.#includeUsage && !(isForwarded && answer.usage)) {
      events.push({ data: `${this.#head},"choices":[],"usage":${JSON.stringify(chatUsage(usage))}}` });
    }
    events.push({ data: '[DONE]' });
    return events;
  }

  error(error: AppError): StreamEvent {
    return { data: JSON.stringify({ error: toOpenAiError(error) }) };
  }

  /** Text before a refusal has been sent as an answer, so the answer ends as filtered. */
  #finish(reason: StopReason): StreamEvent[] {
    if (reason !== 'refusal') return [this.#delta('{}', JSON.stringify(finishReason(reason)))];
    if (this.#hasSaid) return [this.#delta('{}', '"content_filter"')];
    return [this.#delta(JSON.stringify({ refusal: REFUSAL_TEXT })), this.#delta('{}', '"stop"')];
  }

  #delta(delta: string, finish = 'null'): StreamEvent {
    return {
      data: `${this.#head},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}`,
    };
  }
}

function withChunkId(head: string, chunk: string): string {
  const { id, created } = JSON.parse(chunk) as { id?: unknown; created?: unknown };
  const own = JSON.parse(`${head}}`) as object;
  return JSON.stringify({ ...own, ...(id ? { id } : {}), ...(created ? { created } : {}) }).slice(0, -1);
}

/** Text of a refusal that has none: an empty refusal would look like an empty answer. */
export const REFUSAL_TEXT = 'The model declined to answer.';
