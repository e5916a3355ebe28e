import { ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions';
import {
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  GEN_AI_OPERATION_NAME_VALUE_CHAT,
} from '@opentelemetry/semantic-conventions/incubating';
import { type Span, startSpan } from '@tollgate/runtime';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import type { ProviderFailure } from '../domain/provider-failure.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from './contract/provider.js';

/**
 * Starts a model call within a span below `traceparent`; without one, only starts it. The provider is not sent the context:
 * its operator has no part in the trace.
 *
 * @throws AppError if the provider does not support the request
 */
export function startModelCall(
  provider: Provider,
  call: ModelCall,
  listener: ModelListener,
  traceparent: string | undefined,
): ModelExchange {
  const span = startSpan(`chat ${call.upstreamModel}`, 'client', traceparent, {
    [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_CHAT,
    [ATTR_GEN_AI_PROVIDER_NAME]: provider.id,
    [ATTR_GEN_AI_REQUEST_MODEL]: call.upstreamModel,
    [ATTR_GEN_AI_REQUEST_MAX_TOKENS]: call.maxOutputTokens,
    'tollgate.is_stream': call.isStream,
  });
  if (!span) return provider.start(call, listener);
  const traced = new TracedCall(span, listener);
  try {
    traced.exchange = provider.start(call, traced);
  } catch (error) {
    traced.end('unsupported');
    throw error;
  }
  return traced;
}

/** Passes everything on, and ends the span when the call ends. */
class TracedCall implements ModelListener, ModelExchange {
  readonly #span: Span;
  readonly #listener: ModelListener;
  exchange: ModelExchange | undefined;
  #hasOutput = false;
  #isOver = false;

  constructor(span: Span, listener: ModelListener) {
    this.#span = span;
    this.#listener = listener;
  }

  pause(): void {
    this.exchange?.pause();
  }

  resume(): void {
    this.exchange?.resume();
  }

  readWaiting(): void {
    this.exchange?.readWaiting();
  }

  abort(): boolean {
    this.end('canceled');
    return this.exchange?.abort() ?? false;
  }

  onOpen(): void {
    this.#span.event('answer started');
    this.#listener.onOpen();
  }

  onText(delta: string): void {
    this.#output();
    this.#listener.onText(delta);
  }

  onReasoning(delta: string): void {
    this.#output();
    this.#listener.onReasoning(delta);
  }

  onToolCall(index: number, id: string, name: string): void {
    this.#output();
    this.#listener.onToolCall(index, id, name);
  }

  onToolArguments(index: number, delta: string): void {
    this.#listener.onToolArguments(index, delta);
  }

  onForward(data: string, text: string, isLast: boolean, name?: string): void {
    if (text !== '') this.#output();
    this.#listener.onForward(data, text, isLast, name);
  }

  onUsage(usage: TokenUsage): void {
    this.#listener.onUsage(usage);
  }

  onAnswer(answer: ModelAnswer): void {
    const { usage } = answer;
    if (usage) {
      const { inputTokens, outputTokens } = usage;
      this.#span.set({
        [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: inputTokens,
        [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: outputTokens,
      });
    }
    this.end();
    this.#listener.onAnswer(answer);
  }

  onFailure(failure: ProviderFailure): void {
    this.#span.set({ [ATTR_HTTP_RESPONSE_STATUS_CODE]: failure.status });
    this.end(failure.kind);
    this.#listener.onFailure(failure);
  }

  end(failure?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (failure !== undefined) this.#span.fail(failure);
    this.#span.end();
  }

  #output(): void {
    if (this.#hasOutput) return;
    this.#hasOutput = true;
    this.#span.event('first output');
  }
}
