import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents } from '../contract/wire.js';
import { isObject, type Json, parseObject, textOrUndefined } from '../convert/answer-reading.js';
import { replaceMember } from '../convert/replace-member.js';
import { isCodeRun } from './content-blocks.js';
import { withCodeRuns } from './message-answer.js';
import { toStopReason } from './stop-reason.js';
import { toStreamFailure } from './upstream-error.js';
import { finalUsage, toTokenUsage } from './usage.js';

/**
 * Passes the events of a streamed message on as they came, but for the model's name, and reads of them what settling needs.
 * The beginning waits for the first block, because an overloaded provider says so behind it, and another route may answer then.
 */
export class ForwardedMessageEvents implements VendorEvents {
  readonly #modelName: string;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  /** Events of the beginning; undefined once they have left. */
  #head: { data: string; name: string }[] | undefined = [];
  #responseId = '';
  #stopReason: string | undefined;
  /** The figures of the beginning, and those of the end. */
  #firstUsage: TokenUsage | undefined;
  #usage: TokenUsage | undefined;
  #hasToldUsage = false;
  readonly #codeRuns: Json[] = [];

  constructor(modelName: string, listener: ModelListener, end: StreamEnd) {
    this.#modelName = modelName;
    this.#listener = listener;
    this.#end = end;
  }

  get hasStopped(): boolean {
    return this.#stopReason !== undefined;
  }

  /** A stream that told why it stopped is complete even without its closing mark. */
  finish(): ModelAnswer | undefined {
    return this.#stopReason === undefined ? undefined : this.#answer();
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
        this.#nearEnd(event);
        this.#pass(data, name ?? type, '', this.#stopReason !== undefined);
        break;
      case 'message_stop':
        this.#stopReason ??= 'end_turn';
        this.#pass(data, name ?? type, '', true);
        this.#end.answer(this.#answer());
        break;
      case 'error':
        this.#end.fail(toStreamFailure(event, this.#end.providerRequestId));
        break;
      default:
        if (type === 'ping' && this.#head) this.#head.push({ data, name: name ?? type });
        else this.#pass(data, name ?? type, this.#textOf(event), this.#stopReason !== undefined);
    }
  }

  #open(data: string, message: unknown): void {
    if (!isObject(message)) {
      this.#end.failUnreadable();
      return;
    }
    this.#responseId = textOrUndefined(message.id) ?? '';
    this.#firstUsage = toTokenUsage(message.usage);
    const named = replaceMember(data, ['message', 'model'], this.#modelName) ?? data;
    this.#head?.push({ data: named, name: 'message_start' });
  }

  #pass(data: string, name: string, text: string, isLast: boolean): void {
    const head = this.#head;
    if (head) {
      this.#head = undefined;
      for (const event of head) this.#listener.onForward(event.data, '', false, event.name);
    }
    if (text !== '') this.#tellUsage();
    this.#listener.onForward(data, text, isLast, name);
  }

  /** What an event adds to the output, thinking and arguments included. */
  #textOf({ type, content_block: block, delta }: Json): string {
    if (type === 'content_block_start' && isObject(block)) {
      if (isCodeRun(block)) this.#codeRuns.push(block);
      return textOrUndefined(block.name) ?? textOrUndefined(block.text) ?? '';
    }
    if (type !== 'content_block_delta' || !isObject(delta)) return '';
    return textOrUndefined(delta.text) ?? textOrUndefined(delta.thinking) ?? textOrUndefined(delta.partial_json) ?? '';
  }

  #nearEnd({ delta, usage }: Json): void {
    if (isObject(delta) && typeof delta.stop_reason === 'string') this.#stopReason = delta.stop_reason;
    this.#usage = finalUsage(usage, this.#firstUsage);
    if (this.#usage) this.#listener.onUsage(this.#usage);
  }

  /** Not before output: a call that fails without any is free, whatever the provider has counted. */
  #tellUsage(): void {
    if (this.#hasToldUsage || !this.#firstUsage) return;
    this.#hasToldUsage = true;
    this.#listener.onUsage(this.#firstUsage);
  }

  #answer(): ModelAnswer {
    return {
      responseId: this.#responseId,
      stopReason: toStopReason(this.#stopReason ?? 'stop'),
      text: '',
      toolCalls: [],
      usage: withCodeRuns(this.#usage, this.#codeRuns),
    };
  }
}
