import type { CompatibleResponsesBody } from '@tollgate/api/compatible';
import { type AppError, toOpenAiError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { StreamEvent, StreamWriter } from '../dialect.js';
import { REFUSAL_TEXT } from '../openai-chat/chat-answer.js';
import { callForms } from './declared-tools.js';
import {
  callItem,
  callItemId,
  customInput,
  ForwardedItems,
  messageId,
  messageItem,
  refusalPart,
  responseHead,
  responseUsage,
  textPart,
  toResponseOutcome,
} from './responses-answer.js';

type FormOf = ReturnType<typeof callForms>;

interface OpenMessage {
  id: string;
  /** Escaped for JSON: the id contains the client's request id. */
  quotedId: string;
  outputIndex: number;
  text: string;
}

interface OpenCall {
  id: string;
  outputIndex: number;
  call: AnswerToolCall;
  form: ReturnType<FormOf>;
}

/**
 * Writes events as the official client's accumulator needs them: created, then for each item added, its parts and deltas,
 * done, and the whole response last, numbered without gaps. Function calls stay open to the end, because a provider may write
 * several at once.
 */
export class ResponsesStreamWriter implements StreamWriter {
  readonly #info: TurnInfo;
  readonly #body: CompatibleResponsesBody;
  #formOf: FormOf | undefined;
  #head: JsonObject;
  /** Items by output index, each as far as it is known. */
  readonly #output: JsonObject[] = [];
  readonly #calls = new Map<number, OpenCall>();
  #message: OpenMessage | undefined;
  readonly #forwarded = new ForwardedItems();
  #sequence = 0;

  constructor(info: TurnInfo, body: CompatibleResponsesBody) {
    this.#info = info;
    this.#body = body;
    this.#head = responseHead(info, body);
  }

  start(): StreamEvent[] {
    const response = { ...this.#head, status: 'in_progress', incomplete_details: null, output: [], usage: null };
    return [this.#event('response.created', { response }), this.#event('response.in_progress', { response })];
  }

  text(delta: string): StreamEvent | StreamEvent[] {
    if (this.#message) return this.#textDelta(this.#message, delta);
    const outputIndex = this.#output.length;
    const id = messageId(this.#info, outputIndex);
    const message: OpenMessage = { id, quotedId: JSON.stringify(id), outputIndex, text: '' };
    this.#message = message;
    const item = messageItem(message.id, [], 'in_progress');
    this.#output.push(item);
    return [
      this.#event('response.output_item.added', { output_index: message.outputIndex, item }),
      this.#event('response.content_part.added', { ...toLocation(message), part: textPart('') }),
      this.#textDelta(message, delta),
    ];
  }

  toolCall(index: number, id: string, name: string): StreamEvent[] {
    const events = this.#closeMessage('completed');
    const outputIndex = this.#output.length;
    this.#formOf ??= callForms(this.#body);
    const open: OpenCall = {
      id: callItemId(this.#info, outputIndex),
      outputIndex,
      call: { id, name, arguments: '' },
      form: this.#formOf(name),
    };
    this.#calls.set(index, open);
    const item = callItem(open.id, open.call, open.form, 'in_progress');
    this.#output.push(item);
    events.push(this.#event('response.output_item.added', { output_index: outputIndex, item }));
    return events;
  }

  toolArguments(index: number, delta: string): StreamEvent | undefined {
    const open = this.#calls.get(index);
    if (!open) return undefined;
    open.call.arguments += delta;
    // The arguments of the function that stands for another kind of tool are converted when they are complete.
    if (open.form.form !== 'function') return undefined;
    return this.#event('response.function_call_arguments.delta', {
      item_id: open.id,
      output_index: open.outputIndex,
      delta,
    });
  }

  /** Tracks forwarded events, so that an error or a cut continues where they broke off. */
  forwarded({ event, data }: StreamEvent, text: string): void {
    this.#sequence++;
    if (event === 'response.created') this.#head = { ...this.#head, ...JSON.parse(data).response };
    else this.#forwarded.note(event, data, text);
  }

  end(answer: ModelAnswer, usage: TokenUsage, forwarded: readonly StreamEvent[] = []): StreamEvent[] {
    if (forwarded.length > 0) return [...forwarded];
    this.#output.push(...this.#forwarded.items());
    const isRefusal = answer.stopReason === 'refusal';
    // Text before a refusal has been sent as an answer, so the answer ends as filtered.
    const outcome = toResponseOutcome(isRefusal && this.#output.length > 0 ? 'content_filter' : answer.stopReason);
    const events = this.#output.length > 0 ? [] : this.#withoutOutput(isRefusal);
    events.push(...this.#closeMessage(outcome.status));
    for (const open of this.#calls.values()) events.push(...this.#closeCall(open, outcome.status));
    const response = { ...this.#head, ...outcome, output: this.#output, usage: responseUsage(usage) };
    events.push(this.#event(`response.${outcome.status}`, { response }));
    return events;
  }

  /** Returns the failed response, and the event that makes client libraries throw. */
  error(error: AppError): StreamEvent[] {
    const { message, type, param, code } = toOpenAiError(error);
    const failed = {
      ...this.#head,
      status: 'failed',
      incomplete_details: null,
      error: { code: type === 'rate_limit_error' ? 'rate_limit_exceeded' : 'server_error', message },
      output: this.#output,
      usage: null,
    };
    return [
      this.#event('response.failed', { response: failed }),
      this.#event('error', { code, message, param, error: { message, type, param, code } }),
    ];
  }

  /** Sends an empty answer as an empty text, as in a plain call. */
  #withoutOutput(isRefusal: boolean): StreamEvent[] {
    if (!isRefusal) return [this.text('')].flat();
    const id = messageId(this.#info, 0);
    const place = { item_id: id, output_index: 0, content_index: 0 };
    const part = refusalPart(REFUSAL_TEXT);
    const item = messageItem(id, [part], 'completed');
    this.#output.push(item);
    return [
      this.#event('response.output_item.added', { output_index: 0, item: messageItem(id, [], 'in_progress') }),
      this.#event('response.content_part.added', { ...place, part: refusalPart('') }),
      this.#event('response.refusal.delta', { ...place, delta: REFUSAL_TEXT }),
      this.#event('response.refusal.done', { ...place, refusal: REFUSAL_TEXT }),
      this.#event('response.content_part.done', { ...place, part }),
      this.#event('response.output_item.done', { output_index: 0, item }),
    ];
  }

  #textDelta(message: OpenMessage, delta: string): StreamEvent {
    message.text += delta;
    return {
      event: 'response.output_text.delta',
      data: `{"type":"response.output_text.delta","sequence_number":${this.#sequence++},"item_id":${message.quotedId},"output_index":${message.outputIndex},"content_index":0,"delta":${JSON.stringify(delta)},"logprobs":[]}`,
    };
  }

  #closeMessage(status: string): StreamEvent[] {
    const message = this.#message;
    if (!message) return [];
    this.#message = undefined;
    const place = toLocation(message);
    const part = textPart(message.text);
    const item = messageItem(message.id, [part], status);
    this.#output[message.outputIndex] = item;
    return [
      this.#event('response.output_text.done', { ...place, text: message.text, logprobs: [] }),
      this.#event('response.content_part.done', { ...place, part }),
      this.#event('response.output_item.done', { output_index: message.outputIndex, item }),
    ];
  }

  #closeCall({ id, outputIndex, call, form }: OpenCall, status: string): StreamEvent[] {
    const item = callItem(id, call, form, status);
    this.#output[outputIndex] = item;
    const place = { item_id: id, output_index: outputIndex };
    const events: StreamEvent[] = [];
    if (form.form === 'function') {
      const { arguments: text } = call;
      events.push(this.#event('response.function_call_arguments.done', { ...place, name: form.name, arguments: text }));
    } else if (form.form === 'custom') {
      const input = customInput(call);
      events.push(this.#event('response.custom_tool_call_input.delta', { ...place, delta: input }));
      events.push(this.#event('response.custom_tool_call_input.done', { ...place, input }));
    }
    return [...events, this.#event('response.output_item.done', { output_index: outputIndex, item })];
  }

  #event(type: string, fields: JsonObject): StreamEvent {
    return { event: type, data: JSON.stringify({ type, sequence_number: this.#sequence++, ...fields }) };
  }
}

function toLocation(message: OpenMessage): JsonObject {
  return { item_id: message.id, output_index: message.outputIndex, content_index: 0 };
}
