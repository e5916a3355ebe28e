import type { IncomingHttpHeaders } from 'node:http';
import { type CompatibleResponsesBody, isWebSearch, listResponsesTools } from '@tollgate/api/compatible';
import type { ProviderId } from '@tollgate/api/model-requests';
import { PROVIDER_SEARCHES_MAX } from '@tollgate/catalog';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ModelCall, ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import { filterObjects, parseObject, textOrUndefined } from '../../convert/answer-reading.js';
import { replaceMember } from '../../convert/replace-member.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import { callText, isClientCall, toResponseStopReason, toTokenUsage } from './responses-answer.js';

/**
 * Returns the client's own body with the decisions of admission. Nothing is stored at the vendor, or made in its background:
 * the input is the whole conversation, and incomplete reasoning, to which only an id refers, is left out. Calls of the
 * vendor's own tools are bounded by what the hold covers.
 *
 * Source: ResponseCreateParams of the `openai` client library 7.57.
 */
export function forwardedResponsesRequest(call: ModelCall, client: Readonly<JsonObject>): JsonObject {
  const { previous_response_id: _previous, conversation: _conversation, background: _background, ...rest } = client;
  const { input, max_tool_calls: asked } = rest;
  const searches = listResponsesTools(client as CompatibleResponsesBody).some(({ tool }) => isWebSearch(tool));
  const callsMax = typeof asked === 'number' ? Math.min(asked, PROVIDER_SEARCHES_MAX) : PROVIDER_SEARCHES_MAX;
  return {
    ...rest,
    ...(call.forward?.sealsReasoning ? { include: withReasoning(client.include) } : {}),
    ...(searches ? { max_tool_calls: callsMax } : {}),
    // Also where the client receives the whole answer of a provider that streams.
    ...(call.isStream ? { stream: true } : {}),
    model: call.upstreamModel,
    max_output_tokens: call.maxOutputTokens,
    store: false,
    input: Array.isArray(input) ? filterObjects(input).filter(isWhole) : input,
  };
}

function withReasoning(include: unknown): unknown[] {
  return [...new Set([...(Array.isArray(include) ? include : []), 'reasoning.encrypted_content'])];
}

function isWhole({ type, encrypted_content: content }: JsonObject): boolean {
  return type !== 'reasoning' || typeof content === 'string';
}

/** Passes answers of the Responses API through to a client that speaks it, and reads only what settling needs. */
export class ForwardedResponsesWire implements Wire {
  readonly provider: ProviderId;
  readonly #modelName: string;

  /** The client's name of the model; answers carry it. */
  constructor(provider: ProviderId, modelName: string) {
    this.provider = provider;
    this.#modelName = modelName;
  }

  /** A failed response also has status 200. */
  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const response = body as JsonObject;
    if (response.status === 'failed' || !Array.isArray(response.output)) return undefined;
    const items = filterObjects(response.output);
    const parts = items.flatMap(({ content, summary }) => [...filterObjects(content), ...filterObjects(summary)]);
    const isRefusal = parts.some(({ type }) => type === 'refusal');
    return {
      responseId: textOrUndefined(response.id) ?? '',
      stopReason: isRefusal ? 'refusal' : toResponseStopReason(response, items.some(isClientCall)),
      text: [...items, ...parts].map(readOutput).join(''),
      toolCalls: [],
      usage: toTokenUsage(response, items, this.provider),
      forwarded: Buffer.from(replaceMember(text, ['model'], this.#modelName) ?? text),
    };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ForwardedResponsesEvents(this.provider, this.#modelName, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

/** Returns the output of a part or item, for an estimate if the provider reports no usage. */
function readOutput(item: JsonObject): string {
  if (isClientCall(item)) return (textOrUndefined(item.name) ?? '') + callText(item);
  return [item.text, item.refusal].map((value) => textOrUndefined(value) ?? '').join('');
}

const headEvents = new Set(['response.created', 'response.queued', 'response.in_progress']);

/**
 * Passes the events of a streamed response through unchanged except for the model's name, and reads what settling needs. Holds
 * the first events until the first item: if the provider fails before it, another route may answer.
 */
class ForwardedResponsesEvents implements VendorEvents {
  readonly #provider: ProviderId;
  readonly #modelName: string;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  /** Events before the first item; undefined once they have left. */
  #head: { data: string; name: string }[] | undefined = [];
  readonly #items: JsonObject[] = [];
  /** Positions of items that had deltas. */
  readonly #withDeltas = new Set<unknown>();
  #isRefusal = false;

  constructor(provider: ProviderId, modelName: string, listener: ModelListener, end: StreamEnd) {
    this.#provider = provider;
    this.#modelName = modelName;
    this.#listener = listener;
    this.#end = end;
  }

  /** Always false: the final event includes usage. */
  readonly hasStopped = false;

  /** Always undefined: an answer is complete only with its final event. */
  finish(): undefined {
    return undefined;
  }

  receive(data: string, name: string | undefined): void {
    // Some servers end with the older dialect's `[DONE]`.
    if (data === '[DONE]') return;
    const event = parseObject(data);
    const type = textOrUndefined(event?.type);
    if (!event || type === undefined) {
      this.#end.failUnreadable();
    } else if (type === 'response.completed' || type === 'response.incomplete') {
      this.#finish(data, name ?? type, event.response);
    } else if (type === 'response.failed') {
      this.#fail(isJsonObject(event.response) ? event.response : {});
    } else if (type === 'error') {
      this.#fail({ error: isJsonObject(event.error) ? event.error : event });
    } else if (this.#head && headEvents.has(type)) {
      this.#head.push({ data: this.#named(data), name: name ?? type });
    } else {
      this.#pass(headEvents.has(type) ? this.#named(data) : data, name ?? type, this.#readOutput(type, event), false);
    }
  }

  #finish(data: string, name: string, response: unknown): void {
    if (!isJsonObject(response)) {
      this.#end.failUnreadable();
      return;
    }
    this.#pass(this.#named(data), name, '', true);
    this.#end.answer({
      responseId: textOrUndefined(response.id) ?? '',
      stopReason: this.#isRefusal ? 'refusal' : toResponseStopReason(response, this.#items.some(isClientCall)),
      text: '',
      toolCalls: [],
      usage: toTokenUsage(response, this.#items, this.#provider),
    } satisfies ModelAnswer);
  }

  #pass(data: string, name: string, output: string, isLast: boolean): void {
    const head = this.#head ?? [];
    this.#head = undefined;
    for (const event of head) this.#listener.onForward(event.data, '', false, event.name);
    this.#listener.onForward(data, output, isLast, name);
  }

  /** The output that an event adds. A call that has no deltas is read from its complete item. */
  #readOutput(type: string, { delta, item, output_index: at }: JsonObject): string {
    if (type.endsWith('.delta')) {
      if (type === 'response.refusal.delta') this.#isRefusal = true;
      this.#withDeltas.add(at);
      return textOrUndefined(delta) ?? '';
    }
    if (!isJsonObject(item)) return '';
    if (type === 'response.output_item.added') return textOrUndefined(item.name) ?? '';
    if (type !== 'response.output_item.done') return '';
    this.#items.push(item);
    return isClientCall(item) && !this.#withDeltas.has(at) ? callText(item) : '';
  }

  #named(data: string): string {
    return replaceMember(data, ['response', 'model'], this.#modelName) ?? data;
  }

  #fail(body: JsonObject): void {
    const usage = toTokenUsage(body, this.#items, this.#provider);
    this.#end.fail(toStreamFailure(this.#provider, body, this.#end.providerRequestId, usage));
  }
}
