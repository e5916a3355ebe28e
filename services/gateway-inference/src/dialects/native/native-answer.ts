import { type AppError, toServedFields } from '@tollgate/errors';
import { canonicalToolName } from '@tollgate/tools';
import type { AnswerToolCall, ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { type ToolResult, textForModel } from '../../domain/turn-tools.js';
import { nativeUsage } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';

/** Name under which a model calls a tool of type image_generation. */
export const IMAGE_TOOL = 'image_generation';

/** Returns the Response resource as JSON. */
export function nativeAnswer(info: TurnInfo, answer: ModelAnswer, usage: TokenUsage): string {
  const { citations, toolResults = [] } = answer;
  return JSON.stringify({
    id: answer.responseId || `resp_${info.requestId}`,
    output: toOutput(answer, toolResults),
    model: info.model,
    provider: info.provider,
    stop_reason: answer.stopReason,
    usage: nativeUsage(usage),
    ...(citations && citations.length > 0 ? { citations } : {}),
    ...(toolResults.length > 0 ? { tool_results: toolResults.map(nativeToolResult) } : {}),
  });
}

export function nativeToolCall({ id, name, arguments: args }: AnswerToolCall): Record<string, unknown> {
  return { id, type: toolCallType(name), function: { name, arguments: args } };
}

/** Calls of the image tool have a separate type. */
function toolCallType(name: string): 'function' | 'image_generation' {
  return canonicalToolName(name) === IMAGE_TOOL ? 'image_generation' : 'function';
}

function nativeToolResult({ toolCallId, name, output }: ToolResult): Record<string, unknown> {
  return { tool_call_id: toolCallId, name, output };
}

/**
 * Returns the assistant's message. If it calls tools of the client and of the service at once, the results of the service's
 * tools follow it, so that the client can append its own results to `output` and continue.
 */
function toOutput({ text, earlierTexts = [], toolCalls }: ModelAnswer, results: readonly ToolResult[]): object[] {
  const texts = text === '' ? earlierTexts : [...earlierTexts, text];
  const message: Record<string, unknown> = {
    type: 'message',
    role: 'assistant',
    content: texts.map((part) => ({ type: 'text', text: part })),
  };
  if (toolCalls.length === 0) return [message];
  message.tool_calls = toolCalls.map(nativeToolCall);
  const called = new Set(toolCalls.map(({ id }) => id));
  return [message, ...results.filter(({ toolCallId }) => called.has(toolCallId)).map(resultMessage)];
}

function resultMessage(result: ToolResult): object {
  const text = textForModel(result);
  return { type: 'message', role: 'tool', tool_call_id: result.toolCallId, content: [{ type: 'text', text }] };
}

/**
 * Updates repeat the whole answer so far only up to this many characters: repeating a long answer makes the stream grow
 * quadratically. The completion always has all of it.
 */
const CONTENT_ON_UPDATE_CHARS_MAX = 16_384;

interface OpenToolCall {
  id: string;
  name: string;
  arguments: string;
  hasResult: boolean;
}

/** Writes stream events `responses-stream/v2`, mode `text-delta`. */
export class NativeStream implements StreamWriter {
  readonly #info: TurnInfo;
  readonly #toolCalls = new Map<number, OpenToolCall>();
  #content = '';
  /** `#content`, escaped for a JSON string. Extended by each delta, so that no text is escaped twice. */
  #escaped = '';

  constructor(info: TurnInfo) {
    this.#info = info;
  }

  start(): StreamEvent {
    const { requestId, provider, model } = this.#info;
    return event({
      type: 'start',
      stream_mode: 'text-delta',
      stream_version: 'v2',
      request_id: requestId,
      provider,
      model,
    });
  }

  text(delta: string): StreamEvent {
    const quoted = JSON.stringify(delta);
    this.#content += delta;
    if (this.#content.length > CONTENT_ON_UPDATE_CHARS_MAX) return { data: `{"type":"update","delta":${quoted}}` };
    this.#escaped += quoted.slice(1, -1);
    return { data: `{"type":"update","delta":${quoted},"content":"${this.#escaped}"}` };
  }

  toolCall(index: number, id: string, name: string): StreamEvent {
    this.#toolCalls.set(index, { id, name, arguments: '', hasResult: false });
    return event({
      type: 'tool_use_start',
      tool_call_delta: { index, ...nativeToolCall({ id, name, arguments: '' }) },
    });
  }

  toolArguments(index: number, delta: string): StreamEvent | undefined {
    const call = this.#toolCalls.get(index);
    if (!call) return undefined;
    call.arguments += delta;
    return event({
      type: 'tool_use_delta',
      tool_call_delta: { index, ...nativeToolCall({ ...call, arguments: delta }) },
    });
  }

  toolResult(result: ToolResult): StreamEvent | undefined {
    const call = [...this.#toolCalls.values()].find(({ id, hasResult }) => id === result.toolCallId && !hasResult);
    if (!call) return undefined;
    call.hasResult = true;
    return event({ type: 'tool_use_stop', tool_calls: [nativeToolCall(call)], tool_result: nativeToolResult(result) });
  }

  /** The tool calls so far have been executed. */
  nextCall(): void {
    this.#toolCalls.clear();
  }

  end(answer: ModelAnswer, usage: TokenUsage): StreamEvent[] {
    const { requestId, provider, model } = this.#info;
    const open = [...this.#toolCalls.values()].filter(({ hasResult }) => !hasResult);
    const stops = open.map((call) => event({ type: 'tool_use_stop', tool_calls: [nativeToolCall(call)] }));
    const calls = answer.stopReason === 'max_tokens' && open.length === 0 ? [] : [...this.#toolCalls.values()];
    const completion = event({
      type: 'completion',
      request_id: requestId,
      response_id: answer.responseId || `resp_${requestId}`,
      provider,
      model,
      content: this.#content,
      ...(calls.length > 0 ? { tool_calls: calls.map(nativeToolCall) } : {}),
      stop_reason: answer.stopReason,
      usage: nativeUsage(usage),
      ...(answer.citations && answer.citations.length > 0 ? { citations: answer.citations } : {}),
    });
    return [...stops, completion];
  }

  error(error: AppError): StreamEvent {
    return nativeErrorEvent(error, this.#info.requestId);
  }
}

/** Returns the event that ends a failed stream. */
export function nativeErrorEvent(error: AppError, requestId: string): StreamEvent {
  return event({
    type: 'error',
    code: error.code,
    message: error.message,
    status: error.status,
    retryable: error.retryable,
    request_id: requestId,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.providerRequestId === undefined ? {} : { provider_request_id: error.providerRequestId }),
    ...toServedFields(error),
  });
}

function event(body: Record<string, unknown>): StreamEvent {
  return { data: JSON.stringify(body) };
}
