import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents } from '../contract/wire.js';
import { CitationList, isObject, type Json, parseObject, textOrUndefined } from '../convert/answer-reading.js';
import { addCitations, isToolUse } from './content-blocks.js';
import { type AskedMessage, isSame, withCodeRuns } from './message-answer.js';
import { continuationOf } from './message-continuation.js';
import { toStopReason } from './stop-reason.js';
import { toStreamFailure } from './upstream-error.js';
import { finalUsage, toTokenUsage } from './usage.js';

/** A block while it grows. */
interface OpenBlock {
  block: Json;
  /** Its place among the calls of tools. */
  callIndex: number | undefined;
  /** Arguments so far. */
  json: string;
}

/**
 * Reads the events of a streamed message: message_start, then blocks (start, deltas, stop), message_delta, message_stop.
 *
 * Source: platform.claude.com/docs/en/build-with-claude/streaming; RawMessageStreamEvent of `@anthropic-ai/sdk` 1.11.
 */
export class MessageEvents implements VendorEvents {
  readonly #asked: AskedMessage;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #citations = new CitationList();
  #calls = 0;
  #responseId = '';
  #stopReason: string | undefined;
  #stopSequence: string | undefined;
  #container: unknown;
  /** The figures of the beginning, and those of the end. */
  #firstUsage: TokenUsage | undefined;
  #usage: TokenUsage | undefined;
  #hasToldUsage = false;

  constructor(asked: AskedMessage, listener: ModelListener, end: StreamEnd) {
    this.#asked = asked;
    this.#listener = listener;
    this.#end = end;
  }

  get hasStopped(): boolean {
    return this.#stopReason !== undefined;
  }

  finish(): ModelAnswer | undefined {
    return this.#stopReason === undefined ? undefined : this.#answer();
  }

  receive(data: string): void {
    const event = parseObject(data);
    switch (event?.type) {
      case 'message_start':
        this.#open(event.message);
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
        this.#nearEnd(event);
        break;
      case 'message_stop':
        this.#stopReason ??= 'end_turn';
        this.#end.answer(this.#answer());
        break;
      case 'error':
        this.#end.fail(toStreamFailure(event, this.#end.providerRequestId));
        break;
      default:
        // New kinds of events may come at any time, and `ping` does.
        if (!event) this.#end.failUnreadable();
    }
  }

  #open(message: unknown): void {
    if (!isObject(message)) return;
    this.#responseId = textOrUndefined(message.id) ?? '';
    this.#firstUsage = toTokenUsage(message.usage);
  }

  #startBlock(index: unknown, block: unknown): void {
    if (!isObject(block)) return;
    const callIndex = isToolUse(block) ? this.#calls++ : undefined;
    this.#blocks.set(index, { block: { ...block }, callIndex, json: '' });
    if (callIndex === undefined) return;
    this.#tellUsage();
    this.#listener.onToolCall(callIndex, String(block.id ?? ''), this.#asked.names.original(String(block.name ?? '')));
  }

  #grow(index: unknown, delta: unknown): void {
    const open = this.#blocks.get(index);
    if (!open || !isObject(delta)) return;
    const { block } = open;
    switch (delta.type) {
      case 'text_delta':
        this.#tellText(block, textOrUndefined(delta.text) ?? '');
        break;
      case 'input_json_delta':
        this.#tellArguments(open, textOrUndefined(delta.partial_json) ?? '');
        break;
      case 'citations_delta':
        block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation];
        addCitations(this.#citations, [delta.citation]);
        break;
      case 'thinking_delta':
        block.thinking = `${block.thinking ?? ''}${delta.thinking ?? ''}`;
        break;
      case 'signature_delta':
        block.signature = delta.signature;
    }
  }

  #tellText(block: Json, text: string): void {
    if (this.#asked.names.areDeclared) block.text = `${block.text ?? ''}${text}`;
    if (text === '') return;
    this.#tellUsage();
    this.#listener.onText(text);
  }

  #tellArguments(open: OpenBlock, json: string): void {
    open.json += json;
    if (open.callIndex !== undefined && json !== '') this.#listener.onToolArguments(open.callIndex, json);
  }

  /** A call without arguments, or with all of them at its start, has had no deltas. */
  #stopBlock(index: unknown): void {
    const open = this.#blocks.get(index);
    if (!open) return;
    if (open.json !== '') open.block.input = parseObject(open.json) ?? {};
    else if (open.callIndex !== undefined) {
      this.#listener.onToolArguments(open.callIndex, JSON.stringify(open.block.input ?? {}));
    }
  }

  #nearEnd({ delta, usage }: Json): void {
    if (isObject(delta) && typeof delta.stop_reason === 'string') this.#stopReason = delta.stop_reason;
    if (isObject(delta)) {
      this.#container = delta.container;
      this.#stopSequence = textOrUndefined(delta.stop_sequence);
    }
    this.#usage = finalUsage(usage, this.#firstUsage);
    if (this.#usage) this.#listener.onUsage(this.#usage);
  }

  /** Not before output: until then another route may still take over, and what this one counted is not due. */
  #tellUsage(): void {
    if (this.#hasToldUsage || !this.#firstUsage) return;
    this.#hasToldUsage = true;
    this.#listener.onUsage(this.#firstUsage);
  }

  #answer(): ModelAnswer {
    const blocks = [...this.#blocks.values()].map(({ block }) => block);
    const citations = this.#citations.all();
    const { upstreamModel, container } = this.#asked;
    return {
      responseId: this.#responseId,
      stopReason: toStopReason(this.#stopReason ?? 'stop'),
      ...(this.#stopSequence === undefined ? {} : { stopSequence: this.#stopSequence }),
      text: '',
      toolCalls: [],
      usage: withCodeRuns(this.#usage, isSame(this.#container, container) ? [] : blocks),
      ...(citations ? { citations } : {}),
      ...continuationOf(upstreamModel, {
        blocks,
        hasCalls: this.#calls > 0,
        stopReason: this.#stopReason,
        container: this.#container,
      }),
    };
  }
}
