import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import {
  argumentsText,
  filterObjects,
  parseObject,
  textOrUndefined,
  withReasoning,
} from '../convert/answer-reading.js';
import { EXCEPTION, openAmazonFrames } from '../transport/amazon-frames.js';
import {
  type AskedConverse,
  blockReasoning,
  blockText,
  toContinuation,
  toStopReason,
  toTokenUsage,
  toToolCall,
} from './converse-answer.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Answers of Converse and ConverseStream. */
export class ConverseWire implements Wire {
  readonly #asked: AskedConverse;
  readonly openFrames = openAmazonFrames;

  constructor(asked: AskedConverse) {
    this.#asked = asked;
  }

  get provider(): ProviderId {
    return this.#asked.provider;
  }

  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    const { output, stopReason, usage, serviceTier } = body as JsonObject;
    const message = isJsonObject(output) ? output.message : undefined;
    if (!isJsonObject(message) || !Array.isArray(message.content)) return undefined;
    const blocks = filterObjects(message.content);
    const calls = blocks.map((block) => toToolCall(block, this.#asked.names));
    const toolCalls = calls.filter((call): call is AnswerToolCall => call !== undefined);
    return {
      responseId: '',
      stopReason: toStopReason(textOrUndefined(stopReason) ?? 'stop'),
      text: blocks.map(blockText).join(''),
      ...withReasoning(blocks.map(blockReasoning).join('')),
      toolCalls,
      usage: toTokenUsage(usage, serviceTier),
      ...toContinuation(this.#asked, blocks, toolCalls.length > 0),
    };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ConverseEvents(this.#asked, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

/** A content block while its deltas arrive, in the form in which it is sent back. */
interface OpenBlock {
  block: JsonObject;
  /** Index among the tool calls; undefined for other blocks. */
  callIndex: number | undefined;
  /** Arguments so far. */
  json: string;
}

/**
 * Reads the events of ConverseStream: messageStart, then blocks (contentBlockStart for tools, deltas, contentBlockStop), messageStop,
 * metadata with the usage.
 *
 * Source: ConverseStreamOutput of `@aws-sdk/client-bedrock-runtime` 3.1164, read 2026-11-30.
 */
class ConverseEvents implements VendorEvents {
  readonly #asked: AskedConverse;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  readonly #blocks = new Map<unknown, OpenBlock>();
  #calls = 0;
  #stopReason: string | undefined;
  #usage: TokenUsage | undefined;

  constructor(asked: AskedConverse, listener: ModelListener, end: StreamEnd) {
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

  receive(data: string, name: string | undefined): void {
    const event = parseObject(data);
    if (!event) {
      this.#end.failUnreadable();
      return;
    }
    switch (name) {
      case 'contentBlockStart':
        this.#start(event.contentBlockIndex, event.start);
        break;
      case 'contentBlockDelta':
        this.#grow(event.contentBlockIndex, event.delta);
        break;
      case 'contentBlockStop':
        this.#stop(event.contentBlockIndex);
        break;
      case 'messageStop':
        this.#stopReason = textOrUndefined(event.stopReason) ?? 'end_turn';
        break;
      case 'metadata':
        this.#finish(event);
        break;
      case EXCEPTION:
        this.#end.fail(toStreamFailure(this.#asked.provider, event, this.#end.providerRequestId));
        break;
      default:
      // Ignores `messageStart`, which has only the role, and events that AWS may add.
    }
  }

  #start(index: unknown, start: unknown): void {
    const toolUse = isJsonObject(start) ? start.toolUse : undefined;
    if (!isJsonObject(toolUse)) return;
    const callIndex = this.#calls++;
    const { toolUseId, name } = toolUse;
    this.#blocks.set(index, { block: { toolUse: { toolUseId, name, input: {} } }, callIndex, json: '' });
    this.#listener.onToolCall(callIndex, String(toolUseId ?? ''), this.#asked.names.original(String(name ?? '')));
  }

  #grow(index: unknown, delta: unknown): void {
    if (!isJsonObject(delta)) return;
    const open = this.#blocks.get(index) ?? this.#open(index);
    const { text, toolUse, reasoningContent } = delta;
    if (typeof text === 'string') this.#addText(open, text);
    if (isJsonObject(toolUse)) this.#addArguments(open, textOrUndefined(toolUse.input) ?? '');
    if (isJsonObject(reasoningContent)) this.#addReasoning(open, reasoningContent);
  }

  /** A block of text or reasoning has no start event. */
  #open(index: unknown): OpenBlock {
    const open = { block: {}, callIndex: undefined, json: '' };
    this.#blocks.set(index, open);
    return open;
  }

  #addText({ block }: OpenBlock, text: string): void {
    if (this.#asked.names.areDeclared) block.text = `${block.text ?? ''}${text}`;
    if (text !== '') this.#listener.onText(text);
  }

  #addArguments(open: OpenBlock, json: string): void {
    open.json += json;
    if (open.callIndex !== undefined && json !== '') this.#listener.onToolArguments(open.callIndex, json);
  }

  #addReasoning({ block }: OpenBlock, { text, signature, redactedContent }: JsonObject): void {
    if (redactedContent !== undefined) {
      block.reasoningContent = { redactedContent };
      return;
    }
    const kept = isJsonObject(block.reasoningContent) ? block.reasoningContent.reasoningText : undefined;
    const reasoningText: JsonObject = isJsonObject(kept) ? kept : { text: '' };
    if (typeof text === 'string') reasoningText.text = `${reasoningText.text}${text}`;
    if (typeof signature === 'string') reasoningText.signature = signature;
    block.reasoningContent = { reasoningText };
    if (typeof text === 'string' && text !== '') this.#listener.onReasoning(text);
  }

  /** A call without arguments has no deltas. */
  #stop(index: unknown): void {
    const open = this.#blocks.get(index);
    if (open?.callIndex === undefined) return;
    const toolUse = open.block.toolUse as JsonObject;
    toolUse.input = parseObject(open.json) ?? {};
    if (open.json === '') this.#listener.onToolArguments(open.callIndex, argumentsText(undefined));
  }

  #finish({ usage, serviceTier }: JsonObject): void {
    this.#usage = toTokenUsage(usage, serviceTier);
    if (this.#usage) this.#listener.onUsage(this.#usage);
    if (this.#stopReason !== undefined) this.#end.answer(this.#answer());
  }

  #answer(): ModelAnswer {
    const blocks = [...this.#blocks.values()]
      .map(({ block }) => block)
      .filter((block) => Object.keys(block).length > 0);
    return {
      responseId: '',
      stopReason: toStopReason(this.#stopReason ?? 'end_turn'),
      text: '',
      toolCalls: [],
      usage: this.#usage,
      ...toContinuation(this.#asked, blocks, this.#calls > 0),
    };
  }
}
