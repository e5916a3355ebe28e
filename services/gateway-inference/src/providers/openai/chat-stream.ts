import { StringDecoder } from 'node:string_decoder';
import type { ProviderId } from '@tollgate/api';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../provider.js';
import { argumentsText, parseObject, toolCallId } from './chat-answer.js';
import { replaceModel } from './replace-model.js';
import { toStopReason } from './stop-reason.js';
import type { ToolNames } from './tool-names.js';
import { toStreamFailure } from './upstream-error.js';
import { toTokenUsage } from './usage.js';

/** An event larger than this is no chat chunk. */
const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/** The parts of a chunk that are read; everything may be missing or of another type. */
interface ChatChunk {
  id?: unknown;
  model?: unknown;
  object?: unknown;
  error?: unknown;
  choices?: { delta?: Delta | null; finish_reason?: unknown }[] | null;
  usage?: unknown;
}

interface Delta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: { index?: unknown; id?: unknown; function?: { name?: unknown; arguments?: unknown } }[] | null;
}

export interface ChatStreamOptions {
  provider: ProviderId;
  providerRequestId: string | undefined;
  /** Client's spelling of tool names; absent when chunks are forwarded. */
  names: ToolNames | undefined;
  /** Forward chunks under this model name instead of telling their content. */
  forwardAs: { modelName: string; includeUsage: boolean } | undefined;
}

/** Reads a stream of chat chunks: bytes in, listener calls out. `isOver` once the call has ended either way. */
export class ChatStream {
  readonly #options: ChatStreamOptions;
  readonly #listener: ModelListener;
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: EventSourceParser;
  readonly #openCalls = new Set<number>();
  #responseId = '';
  #finishReason: string | undefined;
  #isRefusal = false;
  #usage: TokenUsage | undefined;
  isOver = false;
  hasFailed = false;

  constructor(options: ChatStreamOptions, listener: ModelListener) {
    this.#options = options;
    this.#listener = listener;
    this.#parser = createParser({
      onEvent: (event) => this.#receive(event.data),
      // Unknown fields and bad retry values are to be ignored; only an endless event ends the stream.
      onError: (error) => error.type === 'max-buffer-size-exceeded' && this.#fail('invalid_response', error),
      maxBufferSize: EVENT_CHARS_MAX,
    });
  }

  feed(chunk: Buffer): void {
    if (!this.isOver) this.#parser.feed(this.#decoder.write(chunk));
  }

  /** The connection ended. A stream that told why it stopped is complete even without its closing mark. */
  end(cause?: ProviderFailure): void {
    if (this.isOver) return;
    if (this.#finishReason !== undefined) this.#answer();
    else if (cause) this.#failWith(cause);
    else this.#fail('transport', new Error('the stream ended without an end'));
  }

  #receive(data: string): void {
    if (this.isOver || data === '') return;
    if (data === '[DONE]') {
      this.#finishReason ??= 'stop';
      this.#answer();
      return;
    }
    const chunk = parseObject(data) as ChatChunk | undefined;
    if (!chunk) {
      this.#fail('invalid_response');
    } else if (chunk.error || chunk.object === 'error') {
      this.#failWith(toStreamFailure(this.#options.provider, chunk, this.#options.providerRequestId));
    } else {
      this.#read(data, chunk);
    }
  }

  #read(data: string, chunk: ChatChunk): void {
    if (typeof chunk.id === 'string' && chunk.id !== '') this.#responseId = chunk.id;
    const usage = toTokenUsage(chunk.usage);
    if (usage) {
      this.#usage = usage;
      this.#listener.onUsage(usage);
    }
    const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    const finish = choice?.finish_reason;
    if (typeof finish === 'string' && finish !== '') this.#finishReason = finish;
    if (this.#options.forwardAs) this.#forward(data, chunk, choice?.delta ?? undefined);
    else if (choice?.delta) this.#tell(choice.delta);
  }

  #tell(delta: Delta): void {
    if (typeof delta.content === 'string' && delta.content !== '') this.#listener.onText(delta.content);
    if (typeof delta.refusal === 'string' && delta.refusal !== '') {
      this.#listener.onText(delta.refusal);
      this.#isRefusal = true;
    }
    if (!Array.isArray(delta.tool_calls)) return;
    for (const [position, call] of delta.tool_calls.entries()) {
      const index = typeof call.index === 'number' ? call.index : position;
      if (!this.#openCalls.has(index)) {
        this.#openCalls.add(index);
        const name = String(call.function?.name ?? '');
        const id = typeof call.id === 'string' && call.id !== '' ? call.id : toolCallId(this.#responseId, index);
        this.#listener.onToolCall(index, id, this.#options.names?.original(name) ?? name);
      }
      const more = call.function?.arguments;
      if (more !== undefined && more !== null && more !== '')
        this.#listener.onToolArguments(index, argumentsText(more));
    }
  }

  #forward(data: string, chunk: ChatChunk, delta: Delta | undefined): void {
    const { modelName, includeUsage } = this.#options.forwardAs!;
    // The usage chunk was asked for by us; a client that did not ask for it does not get it.
    if (!includeUsage && !chunk.choices?.length) return;
    const isLast = this.#finishReason !== undefined;
    this.#listener.onForward(replaceModel(data, chunk, modelName), delta ? textOfDelta(delta) : '', isLast);
  }

  #answer(): void {
    this.isOver = true;
    const answer: ModelAnswer = {
      responseId: this.#responseId,
      stopReason: this.#isRefusal ? 'refusal' : toStopReason(this.#finishReason ?? 'stop'),
      text: '',
      toolCalls: [],
      usage: this.#usage,
    };
    this.#listener.onAnswer(answer);
  }

  #fail(kind: 'transport' | 'invalid_response', cause?: unknown): void {
    const { provider, providerRequestId } = this.#options;
    this.#failWith(new ProviderFailure({ kind, provider, providerRequestId, cause }));
  }

  #failWith(failure: ProviderFailure): void {
    this.isOver = true;
    this.hasFailed = true;
    this.#listener.onFailure(failure);
  }
}

function textOfDelta(delta: Delta): string {
  let text = typeof delta.content === 'string' ? delta.content : '';
  if (typeof delta.refusal === 'string') text += delta.refusal;
  if (!Array.isArray(delta.tool_calls)) return text;
  for (const { function: fn } of delta.tool_calls) {
    if (typeof fn?.name === 'string') text += fn.name;
    if (typeof fn?.arguments === 'string') text += fn.arguments;
  }
  return text;
}
