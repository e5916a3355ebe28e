import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents } from '../contract/wire.js';
import { isObject, type Json, parseObject, textOrUndefined } from '../convert/answer-reading.js';
import { replaceMember } from '../convert/replace-member.js';
import { isCodeRun } from './content-blocks.js';
import { withCodeRuns } from './message-answer.js';
import { toStopReason } from './stop-reason.js';
import { StreamedMessage } from './streamed-message.js';
import { toStreamFailure } from './upstream-error.js';

/**
 * Passes the events of a streamed message through unchanged except for the model's name, and reads what settling needs.
 * Holds the first events until the first block: an overloaded provider reports that after them, and another route may
 * answer then.
 */
export class ForwardedMessageEvents implements VendorEvents {
  readonly #modelName: string;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  /** Events before the first block; undefined once they have left. */
  #head: { data: string; name: string }[] | undefined = [];
  readonly #message: StreamedMessage;
  readonly #codeRuns: Json[] = [];

  constructor(modelName: string, listener: ModelListener, end: StreamEnd) {
    this.#modelName = modelName;
    this.#listener = listener;
    this.#end = end;
    this.#message = new StreamedMessage(listener);
  }

  get hasStopped(): boolean {
    return this.#message.stopReason !== undefined;
  }

  /** A stream with a stop reason is complete even without `message_stop`. */
  finish(): ModelAnswer | undefined {
    return this.#message.stopReason === undefined ? undefined : this.#answer();
  }

  receive(data: string, name: string | undefined): void {
    const event = parseObject(data);
    const type = textOrUndefined(event?.type);
    if (!event || type === undefined) {
      this.#end.failUnreadable();
      return;
    }
    switch (type) {
      case 'message_start':
        this.#open(data, event.message);
        break;
      case 'message_delta':
        this.#message.finish(event);
        this.#pass(data, name ?? type, '', this.#message.stopReason !== undefined);
        break;
      case 'message_stop':
        this.#message.stop();
        this.#pass(data, name ?? type, '', true);
        this.#end.answer(this.#answer());
        break;
      case 'error':
        this.#end.fail(toStreamFailure(this.#end.provider, event, this.#end.providerRequestId));
        break;
      default:
        if (type === 'ping' && this.#head) this.#head.push({ data, name: name ?? type });
        else this.#pass(data, name ?? type, this.#readText(event), this.#message.stopReason !== undefined);
    }
  }

  #open(data: string, message: unknown): void {
    if (!isObject(message)) {
      this.#end.failUnreadable();
      return;
    }
    this.#message.start(message);
    const named = replaceMember(data, ['message', 'model'], this.#modelName) ?? data;
    this.#head?.push({ data: named, name: 'message_start' });
  }

  #pass(data: string, name: string, text: string, isLast: boolean): void {
    const head = this.#head;
    if (head) {
      this.#head = undefined;
      for (const event of head) this.#listener.onForward(event.data, '', false, event.name);
    }
    if (text !== '') this.#message.reportFirstUsage();
    this.#listener.onForward(data, text, isLast, name);
  }

  /** The output that an event adds, thinking and arguments included. */
  #readText({ type, content_block: block, delta }: Json): string {
    if (type === 'content_block_start' && isObject(block)) {
      if (isCodeRun(block)) this.#codeRuns.push(block);
      return textOrUndefined(block.name) ?? textOrUndefined(block.text) ?? '';
    }
    if (type !== 'content_block_delta' || !isObject(delta)) return '';
    return textOrUndefined(delta.text) ?? textOrUndefined(delta.thinking) ?? textOrUndefined(delta.partial_json) ?? '';
  }

  #answer(): ModelAnswer {
    return {
      responseId: this.#message.responseId,
      stopReason: toStopReason(this.#message.stopReason ?? 'stop'),
      text: '',
      toolCalls: [],
      usage: withCodeRuns(this.#message.usage, this.#codeRuns),
    };
  }
}
