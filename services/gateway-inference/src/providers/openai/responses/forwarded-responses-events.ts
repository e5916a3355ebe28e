import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents } from '../../contract/wire.js';
import { isObject, type Json, parseObject, textOrUndefined } from '../../convert/answer-reading.js';
import { replaceMember } from '../../convert/replace-member.js';
import { toStreamFailure } from '../upstream-error.js';
import { isFunctionCall, toResponseStopReason } from './responses-answer.js';
import { toTokenUsage } from './responses-usage.js';

/** Events whose `delta` is output. */
const outputDeltas = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.function_call_arguments.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
]);
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
      stopReason: this.#isRefusal ? 'refusal' : toResponseStopReason(response, this.#items.some(isFunctionCall)),
      text: '',
      toolCalls: [],
      usage: toTokenUsage(response.usage, this.#items, this.#provider),
    } satisfies ModelAnswer);
  }

  #pass(data: string, name: string, output: string, isLast: boolean): void {
    const head = this.#head ?? [];
    this.#head = undefined;
    for (const event of head) this.#listener.onForward(event.data, '', false, event.name);
    this.#listener.onForward(data, output, isLast, name);
  }

  #readOutput(type: string, { delta, item }: Json): string {
    if (outputDeltas.has(type)) {
      if (type === 'response.refusal.delta') this.#isRefusal = true;
      return textOrUndefined(delta) ?? '';
    }
    if (!isObject(item)) return '';
    if (type === 'response.output_item.done') this.#items.push(item);
    return type === 'response.output_item.added' ? (textOrUndefined(item.name) ?? '') : '';
  }

  #named(data: string): string {
    return replaceMember(data, ['response', 'model'], this.#modelName) ?? data;
  }

  #fail(body: Json): void {
    this.#end.fail(toStreamFailure(this.#provider, body, this.#end.providerRequestId));
  }
}
