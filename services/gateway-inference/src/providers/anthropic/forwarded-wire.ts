import type { IncomingHttpHeaders } from 'node:http';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { type Json, objectsOf, textOrUndefined } from '../convert/answer-reading.js';
import { replaceMember } from '../convert/replace-member.js';
import { ForwardedMessageEvents } from './forwarded-events.js';
import { withCodeRuns } from './message-answer.js';
import { toStopReason } from './stop-reason.js';
import { toFailure, toStreamFailure } from './upstream-error.js';
import { toTokenUsage } from './usage.js';

/** Answers of the Messages API for a client that speaks it: passed on, and read for settling only. */
export class ForwardedMessagesWire implements Wire {
  readonly provider = 'anthropic';
  readonly #modelName: string;

  /** Answers carry the name that the client knows the model by. */
  constructor(modelName: string) {
    this.#modelName = modelName;
  }

  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const { content, id, stop_reason: reason, usage } = body as Json;
    if (!Array.isArray(content)) return undefined;
    const blocks = objectsOf(content);
    return {
      responseId: textOrUndefined(id) ?? '',
      stopReason: toStopReason(textOrUndefined(reason) ?? 'stop'),
      text: blocks.map(outputOf).join(''),
      toolCalls: [],
      usage: withCodeRuns(toTokenUsage(usage), blocks),
      forwarded: Buffer.from(replaceMember(text, ['model'], this.#modelName) ?? text),
    };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ForwardedMessageEvents(this.#modelName, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(body, providerRequestId);
  }
}

/** For an estimate, where the provider gave no figure. */
function outputOf({ type, text, thinking, name, input }: Json): string {
  if (type === 'tool_use') return `${textOrUndefined(name) ?? ''}${JSON.stringify(input ?? {})}`;
  return textOrUndefined(text) ?? textOrUndefined(thinking) ?? '';
}
