import { ATTR_HTTP_RESPONSE_STATUS_CODE } from '@opentelemetry/semantic-conventions';
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_PROVIDER_NAME,
  ATTR_GEN_AI_REQUEST_MAX_TOKENS,
  ATTR_GEN_AI_REQUEST_MODEL,
  ATTR_GEN_AI_REQUEST_STREAM,
  ATTR_GEN_AI_REQUEST_TEMPERATURE,
  ATTR_GEN_AI_REQUEST_TOP_P,
  ATTR_GEN_AI_RESPONSE_FINISH_REASONS,
  ATTR_GEN_AI_RESPONSE_ID,
  ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  GEN_AI_OPERATION_NAME_VALUE_CHAT,
} from '@opentelemetry/semantic-conventions/incubating';
import { type Span, type SpanFields, startSpan } from '@tollgate/runtime';
import { toGenAiProvider } from '../domain/gen-ai.js';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import { type ModelMessage, messageText } from '../domain/model-request.js';
import type { ProviderFailure } from '../domain/provider-failure.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from './contract/provider.js';

/** How a call is traced. */
interface CallTrace {
  /** The span above; absent: the call has no span. */
  traceparent: string | undefined;
  /** Whether the span has the texts of the request and of the answer. */
  capturesContent: boolean;
}

/**
 * Starts a model call within a span below the trace's; without one, only starts it. The provider is not sent the context:
 * its operator has no part in the trace. Spans follow the conventions of OpenTelemetry for generative AI.
 *
 * @throws AppError if the provider does not support the request
 */
export function startModelCall(
  provider: Provider,
  call: ModelCall,
  listener: ModelListener,
  { traceparent, capturesContent }: CallTrace,
): ModelExchange {
  const span = startSpan(`chat ${call.upstreamModel}`, 'client', traceparent, {
    [ATTR_GEN_AI_OPERATION_NAME]: GEN_AI_OPERATION_NAME_VALUE_CHAT,
    [ATTR_GEN_AI_PROVIDER_NAME]: toGenAiProvider(provider.id),
    [ATTR_GEN_AI_REQUEST_MODEL]: call.upstreamModel,
    [ATTR_GEN_AI_REQUEST_MAX_TOKENS]: call.maxOutputTokens,
    [ATTR_GEN_AI_REQUEST_STREAM]: call.isStream,
  });
  if (!span) return provider.start(call, listener);
  // A forwarded request is not converted for its trace.
  if (!call.forward) span.set(toSampling(call));
  if (capturesContent) span.set(captureInput(call));
  const traced = new TracedCall(span, listener, capturesContent ? new CapturedOutput() : undefined);
  try {
    traced.exchange = provider.start(call, traced);
  } catch (error) {
    traced.end('unsupported');
    throw error;
  }
  return traced;
}

function toSampling(call: ModelCall): SpanFields {
  const { temperature, topP } = call.request();
  return { [ATTR_GEN_AI_REQUEST_TEMPERATURE]: temperature, [ATTR_GEN_AI_REQUEST_TOP_P]: topP };
}

/** Passes everything on, and ends the span when the call ends. */
class TracedCall implements ModelListener, ModelExchange {
  readonly #span: Span;
  readonly #listener: ModelListener;
  readonly #captured: CapturedOutput | undefined;
  exchange: ModelExchange | undefined;
  #hasOutput = false;
  #isOver = false;

  constructor(span: Span, listener: ModelListener, captured: CapturedOutput | undefined) {
    this.#span = span;
    this.#listener = listener;
    this.#captured = captured;
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
    this.#captured?.add(delta);
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
    this.#captured?.add(text);
    this.#listener.onForward(data, text, isLast, name);
  }

  onUsage(usage: TokenUsage): void {
    this.#listener.onUsage(usage);
  }

  onAnswer(answer: ModelAnswer): void {
    this.#span.set(toAnswerFields(answer));
    if (this.#captured) this.#span.set(this.#captured.toFields(answer));
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

function toAnswerFields({ responseId, stopReason, usage }: ModelAnswer): SpanFields {
  return {
    [ATTR_GEN_AI_RESPONSE_ID]: responseId || undefined,
    [ATTR_GEN_AI_RESPONSE_FINISH_REASONS]: [stopReason],
    [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: usage?.inputTokens,
    [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: usage?.outputTokens,
    [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: usage?.cacheReadInputTokens || undefined,
    [ATTR_GEN_AI_USAGE_CACHE_CREATION_INPUT_TOKENS]: usage?.cacheWriteInputTokens || undefined,
    [ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS]: usage?.reasoningTokens || undefined,
  };
}

/** Characters of a request, and of an answer, that a span has at most: collectors refuse larger ones. */
const CHARS_MAX = 64 * 1024;

interface Message {
  role: string;
  parts: object[];
  finish_reason?: string;
}

/**
 * Returns the messages of a request as the conventions of OpenTelemetry write them, from the last one on as far as they fit. Files
 * are named by their kind.
 */
function captureInput(call: ModelCall): SpanFields {
  const messages: Message[] = [];
  let left = CHARS_MAX;
  for (const message of call.request().messages.toReversed()) {
    if (left <= 0) break;
    const text = messageText(message).slice(0, left);
    left -= text.length;
    messages.unshift({ role: message.role, parts: toParts(message, text) });
  }
  return { [ATTR_GEN_AI_INPUT_MESSAGES]: JSON.stringify(messages) };
}

function toParts(message: ModelMessage, text: string): object[] {
  if (message.role === 'tool') return [{ type: 'tool_call_response', id: message.toolCallId, response: text }];
  const files = message.content
    .filter(({ type }) => type !== 'text')
    .map(({ type }) => ({ type: 'file', modality: type }));
  const calls = message.toolCalls.map(({ id, function: called }) => toCall(id, called?.name, called?.arguments));
  return [...(text === '' ? [] : [{ type: 'text', content: text }]), ...files, ...calls];
}

function toCall(id: string, name: string | undefined, text = ''): object {
  return { type: 'tool_call', id, name, arguments: text.slice(0, CHARS_MAX) };
}

/** Collects the text of an answer, as far as it fits. */
class CapturedOutput {
  #text = '';

  add(delta: string): void {
    if (this.#text.length < CHARS_MAX) this.#text += delta.slice(0, CHARS_MAX - this.#text.length);
  }

  /** The text of a plain answer comes with it, that of a stream has been added. */
  toFields({ text, stopReason, toolCalls }: ModelAnswer): SpanFields {
    const content = this.#text === '' ? text.slice(0, CHARS_MAX) : this.#text;
    const calls = toolCalls.map((called) => toCall(called.id, called.name, called.arguments));
    const parts = [...(content === '' ? [] : [{ type: 'text', content }]), ...calls];
    const message: Message = { role: 'assistant', parts, finish_reason: stopReason };
    return { [ATTR_GEN_AI_OUTPUT_MESSAGES]: JSON.stringify([message]) };
  }
}
