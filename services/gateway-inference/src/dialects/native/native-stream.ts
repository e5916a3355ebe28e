import type { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnFacts } from '../../domain/turn-facts.js';
import { nativeUsage } from '../../domain/usage.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { nativeToolCall } from './native-answer.js';

/**
 * Updates repeat the whole answer so far only up to this many characters: repeating a long one makes the stream's size
 * grow with its square. The completion always has all of it.
 */
const CONTENT_ON_UPDATE_CHARS_MAX = 16_384;

interface OpenToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** Stream events `responses-stream/v2`, mode `text-delta`. */
export class NativeStream implements StreamWriter {
  readonly #facts: TurnFacts;
  readonly #toolCalls = new Map<number, OpenToolCall>();
  #content = '';
  /** `#content` as the inside of a JSON string, grown piece by piece instead of being escaped anew every time. */
  #escaped = '';

  constructor(facts: TurnFacts) {
    this.#facts = facts;
  }

  start(): StreamEvent {
    const { requestId, provider, model } = this.#facts;
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
    this.#toolCalls.set(index, { id, name, arguments: '' });
    return event({
      type: 'tool_use_start',
      tool_call_delta: { index, id, type: 'function', function: { name, arguments: '' } },
    });
  }

  toolArguments(index: number, delta: string): StreamEvent {
    const call = this.#toolCalls.get(index);
    if (call) call.arguments += delta;
    return event({
      type: 'tool_use_delta',
      tool_call_delta: { index, id: call?.id, type: 'function', function: { name: call?.name, arguments: delta } },
    });
  }

  end(answer: ModelAnswer, usage: TokenUsage): StreamEvent[] {
    const { requestId, provider, model } = this.#facts;
    const calls = [...this.#toolCalls.values()].map(nativeToolCall);
    const stops = calls.map((call) => event({ type: 'tool_use_stop', tool_calls: [call] }));
    const completion = event({
      type: 'completion',
      request_id: requestId,
      response_id: answer.responseId || `resp_${requestId}`,
      provider,
      model,
      content: this.#content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
      stop_reason: answer.stopReason,
      usage: nativeUsage(usage),
    });
    return [...stops, completion];
  }

  error(error: AppError): StreamEvent {
    return nativeErrorEvent(error, this.#facts.requestId);
  }
}

/** The event that ends a stream which has begun and failed. */
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
  });
}

function event(body: Record<string, unknown>): StreamEvent {
  return { data: JSON.stringify(body) };
}
