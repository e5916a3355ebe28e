import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents } from '../../contract/wire.js';
import { isObject, type Json, parseObject, textOrUndefined } from '../../convert/answer-reading.js';
import { replaceMember } from '../../convert/replace-member.js';
import { toStreamFailure } from '../upstream-error.js';
import { callText, isClientCall, toResponseStopReason } from './responses-answer.js';
import { toTokenUsage } from './responses-usage.js';

const headEvents = new Set(['response.created', 'response.queued', 'response.in_progress']);

/**
 * Passes the events of a streamed response through unchanged except for the model's name, and reads what settling needs. Holds
 * the first events until the first item: if the provider fails before it, another route may answer.
 */
export class ForwardedResponsesEvents implements VendorEvents {
  readonly #provider: ProviderId;
  readonly #modelName: string;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  /** Events before the first item; undefined once they have left. */
  #head: { data: string; name: string }[] | undefined = [];
  readonly #items: Json[] = [];
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
      this.#fail(isObject(event.response) ? event.response : {});
    } else if (type === 'error') {
      this.#fail({ error: isObject(event.error) ? event.error : event });
    } else if (this.#head && headEvents.has(type)) {
      this.#head.push({ data: this.#named(data), name: name ?? type });
    } else {
      this.#pass(headEvents.has(type) ? this.#named(data) : data, name ?? type, this.#readOutput(type, event), false);
    }
  }

  #finish(data: string, name: string, response: unknown): void {
    if (!isObject(response)) {
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
  #readOutput(type: string, { delta, item, output_index: at }: Json): string {
    if (type.endsWith('.delta')) {
      if (type === 'response.refusal.delta') this.#isRefusal = true;
      this.#withDeltas.add(at);
      return textOrUndefined(delta) ?? '';
    }
    if (!isObject(item)) return '';
    if (type === 'response.output_item.added') return textOrUndefined(item.name) ?? '';
    if (type !== 'response.output_item.done') return '';
    this.#items.push(item);
    return isClientCall(item) && !this.#withDeltas.has(at) ? callText(item) : '';
  }

  #named(data: string): string {
    return replaceMember(data, ['response', 'model'], this.#modelName) ?? data;
  }

  #fail(body: Json): void {
    const usage = toTokenUsage(body, this.#items, this.#provider);
    this.#end.fail(toStreamFailure(this.#provider, body, this.#end.providerRequestId, usage));
  }
}
