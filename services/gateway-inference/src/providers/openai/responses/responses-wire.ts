import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import { CitationList, filterObjects, parseObject, textOrUndefined } from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import {
  addAnnotations,
  isFunctionCall,
  toAnswer,
  toContinuation,
  toResponseStopReason,
  toTokenUsage,
  toToolCall,
} from './responses-answer.js';

/** Answers of the Responses API. */
export class ResponsesWire implements Wire {
  readonly provider: ProviderId;
  readonly #upstreamModel: string;
  readonly #names: ToolNames;

  constructor(provider: ProviderId, upstreamModel: string, names: ToolNames) {
    this.provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#names = names;
  }

  /** A failed response also has status 200. */
  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    const response = body as JsonObject;
    if (response.status === 'failed') return undefined;
    return toAnswer(response, this.#names, this.provider, this.#upstreamModel);
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ResponsesEvents(this.#upstreamModel, this.#names, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

interface OpenCall {
  index: number;
  hasArguments: boolean;
}

/** Reads the events of a streamed response. Source: ResponseStreamEvent of the `openai` client library 6.49. */
class ResponsesEvents implements VendorEvents {
  readonly #upstreamModel: string;
  readonly #names: ToolNames;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  readonly #calls = new Map<unknown, OpenCall>();
  readonly #items: JsonObject[] = [];
  readonly #citations = new CitationList();
  #isRefusal = false;

  constructor(upstreamModel: string, names: ToolNames, listener: ModelListener, end: StreamEnd) {
    this.#upstreamModel = upstreamModel;
    this.#names = names;
    this.#listener = listener;
    this.#end = end;
  }

  /** Always false: the final event includes usage. */
  readonly hasStopped = false;

  /** Always undefined: an answer is complete only with its final event. */
  finish(): undefined {
    return undefined;
  }

  receive(data: string): void {
    // Some servers end with the older dialect's `[DONE]`.
    if (data === '[DONE]') return;
    const event = parseObject(data);
    switch (event?.type) {
      case 'response.output_text.delta':
        this.#emitText(event.delta);
        break;
      case 'response.refusal.delta':
        this.#isRefusal = true;
        this.#emitText(event.delta);
        break;
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
        if (typeof event.delta === 'string') this.#listener.onReasoning(event.delta);
        break;
      case 'response.output_text.annotation.added':
        addAnnotations(this.#citations, [event.annotation]);
        break;
      case 'response.output_item.added':
        this.#openItem(event.output_index, event.item);
        break;
      case 'response.function_call_arguments.delta':
        this.#emitArguments(event.output_index, event.delta);
        break;
      case 'response.output_item.done':
        this.#closeItem(event.output_index, event.item);
        break;
      case 'response.completed':
      case 'response.incomplete':
        if (isJsonObject(event.response)) this.#end.answer(this.#answer(event.response));
        else this.#end.failUnreadable();
        break;
      case 'response.failed':
        this.#fail(isJsonObject(event.response) ? event.response : {});
        break;
      case 'error':
        this.#fail({ error: isJsonObject(event.error) ? event.error : event });
        break;
      default:
        if (!event) this.#end.failUnreadable();
    }
  }

  #emitText(delta: unknown): void {
    if (typeof delta === 'string' && delta !== '') this.#listener.onText(delta);
  }

  #openItem(at: unknown, item: unknown): void {
    if (!isJsonObject(item) || !isFunctionCall(item)) return;
    const index = this.#calls.size;
    this.#calls.set(at, { index, hasArguments: false });
    const { id, name } = toToolCall(item, this.#names);
    this.#listener.onToolCall(index, id, name);
  }

  #emitArguments(at: unknown, delta: unknown): void {
    const call = this.#calls.get(at);
    if (!call || typeof delta !== 'string' || delta === '') return;
    call.hasArguments = true;
    this.#listener.onToolArguments(call.index, delta);
  }

  /** Emits a call that some servers send only when it is complete. */
  #closeItem(at: unknown, item: unknown): void {
    if (!isJsonObject(item)) return;
    this.#items.push(item);
    if (item.type === 'message') {
      for (const { annotations } of filterObjects(item.content)) addAnnotations(this.#citations, annotations);
    }
    if (!isFunctionCall(item)) return;
    if (!this.#calls.has(at)) this.#openItem(at, item);
    const call = this.#calls.get(at)!;
    if (!call.hasArguments) this.#listener.onToolArguments(call.index, toToolCall(item, this.#names).arguments);
  }

  #answer(response: JsonObject): ModelAnswer {
    const hasCalls = this.#calls.size > 0;
    const citations = this.#citations.all();
    return {
      responseId: textOrUndefined(response.id) ?? '',
      stopReason: this.#isRefusal ? 'refusal' : toResponseStopReason(response, hasCalls),
      text: '',
      toolCalls: [],
      usage: toTokenUsage(response, this.#items, this.#end.provider),
      ...(citations ? { citations } : {}),
      ...(hasCalls ? { continuation: toContinuation(this.#items, this.#end.provider, this.#upstreamModel) } : {}),
    };
  }

  #fail(body: JsonObject): void {
    const usage = toTokenUsage(body, this.#items, this.#end.provider);
    this.#end.fail(toStreamFailure(this.#end.provider, body, this.#end.providerRequestId, usage));
  }
}
