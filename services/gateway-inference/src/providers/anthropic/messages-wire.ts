import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { argumentsText, CitationList, parseObject, textOrUndefined } from '../convert/answer-reading.js';
import {
  type AskedMessage,
  addCitations,
  isSame,
  isToolUse,
  StreamedMessage,
  toAnswer,
  toContinuation,
  toStopReason,
  withCodeRuns,
} from './messages-answer.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Answers of the Messages API. */
export class MessagesWire implements Wire {
  readonly provider: ProviderId;
  readonly #asked: AskedMessage;

  constructor(provider: ProviderId, asked: AskedMessage) {
    this.provider = provider;
    this.#asked = asked;
  }

  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    return toAnswer(body as JsonObject, this.#asked);
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new MessageEvents(this.#asked, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

/** A content block while its deltas arrive. */
interface OpenBlock {
  block: JsonObject;
  /** Index among the tool calls; undefined for other blocks. */
  callIndex: number | undefined;
  /** Arguments so far. */
  json: string;
}

/**
 * Reads the events of a streamed message: message_start, then blocks (start, deltas, stop), message_delta, message_stop.
 *
 * Source: platform.claude.com/docs/en/build-with-claude/streaming; RawMessageStreamEvent of `@anthropic-ai/sdk` 1.11.
 */
class MessageEvents implements VendorEvents {
  readonly #asked: AskedMessage;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #citations = new CitationList();
  #calls = 0;
  readonly #message: StreamedMessage;
  #stopSequence: string | undefined;
  #container: unknown;

  constructor(asked: AskedMessage, listener: ModelListener, end: StreamEnd) {
    this.#asked = asked;
    this.#listener = listener;
    this.#end = end;
    this.#message = new StreamedMessage(listener);
  }

  get hasStopped(): boolean {
    return this.#message.stopReason !== undefined;
  }

  finish(): ModelAnswer | undefined {
    return this.#message.stopReason === undefined ? undefined : this.#answer();
  }

  receive(data: string): void {
    const event = parseObject(data);
    switch (event?.type) {
      case 'message_start':
        if (isJsonObject(event.message)) this.#message.start(event.message);
        break;
      case 'content_block_start':
        this.#startBlock(event.index, event.content_block);
        break;
      case 'content_block_delta':
        this.#grow(event.index, event.delta);
        break;
      case 'content_block_stop':
        this.#stopBlock(event.index);
        break;
      case 'message_delta':
        this.#finish(event);
        break;
      case 'message_stop':
        this.#message.stop();
        this.#end.answer(this.#answer());
        break;
      case 'error':
        this.#end.fail(toStreamFailure(this.#end.provider, event, this.#end.providerRequestId));
        break;
      default:
        // Ignores `ping`, and types of events that Anthropic may add.
        if (!event) this.#end.failUnreadable();
    }
  }

  #startBlock(index: unknown, block: unknown): void {
    if (!isJsonObject(block)) return;
    const callIndex = isToolUse(block) ? this.#calls++ : undefined;
    this.#blocks.set(index, { block: { ...block }, callIndex, json: '' });
    if (callIndex === undefined) return;
    this.#message.reportFirstUsage();
    this.#listener.onToolCall(callIndex, String(block.id ?? ''), this.#asked.names.original(String(block.name ?? '')));
  }

  #grow(index: unknown, delta: unknown): void {
    const open = this.#blocks.get(index);
    if (!open || !isJsonObject(delta)) return;
    const { block } = open;
    switch (delta.type) {
      case 'text_delta':
        this.#emitText(block, textOrUndefined(delta.text) ?? '');
        break;
      case 'input_json_delta':
        this.#emitArguments(open, textOrUndefined(delta.partial_json) ?? '');
        break;
      case 'citations_delta':
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
        addCitations(this.#citations, [delta.citation]);
        break;
      case 'thinking_delta':
        block.thinking = `${block.thinking ?? ''}${delta.thinking ?? ''}`;
        this.#think(textOrUndefined(delta.thinking) ?? '');
        break;
      case 'signature_delta':
        block.signature = delta.signature;
    }
  }

  #emitText(block: JsonObject, text: string): void {
    if (this.#asked.names.areDeclared) block.text = `${block.text ?? ''}${text}`;
    if (text === '') return;
    this.#message.reportFirstUsage();
    this.#listener.onText(text);
  }

  #think(thinking: string): void {
    if (thinking === '') return;
    this.#message.reportFirstUsage();
    this.#listener.onReasoning(thinking);
  }

  #emitArguments(open: OpenBlock, json: string): void {
    open.json += json;
    if (open.callIndex !== undefined && json !== '') this.#listener.onToolArguments(open.callIndex, json);
  }

  /** A call without arguments, or with all of them in its start event, had no deltas. */
  #stopBlock(index: unknown): void {
    const open = this.#blocks.get(index);
    if (!open) return;
    if (open.json !== '') open.block.input = parseObject(open.json) ?? {};
    else if (open.callIndex !== undefined) {
      this.#listener.onToolArguments(open.callIndex, argumentsText(open.block.input));
    }
  }

  #finish(event: JsonObject): void {
    if (isJsonObject(event.delta)) {
      this.#container = event.delta.container;
      this.#stopSequence = textOrUndefined(event.delta.stop_sequence);
    }
    this.#message.finish(event);
  }

  #answer(): ModelAnswer {
    const blocks = [...this.#blocks.values()].map(({ block }) => block);
    const citations = this.#citations.all();
    const { upstreamModel, container } = this.#asked;
    return {
      responseId: this.#message.responseId,
      stopReason: toStopReason(this.#message.stopReason ?? 'stop'),
      ...(this.#stopSequence === undefined ? {} : { stopSequence: this.#stopSequence }),
      text: '',
      toolCalls: [],
      usage: withCodeRuns(this.#message.usage, isSame(this.#container, container) ? [] : blocks),
      ...(citations ? { citations } : {}),
      ...toContinuation(upstreamModel, {
        blocks,
        hasCalls: this.#calls > 0,
        stopReason: this.#message.stopReason,
        container: this.#container,
      }),
    };
  }
}
