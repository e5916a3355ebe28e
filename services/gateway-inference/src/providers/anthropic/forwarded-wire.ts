import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { filterObjects, type Json, textOrUndefined } from '../convert/answer-reading.js';
import { replaceMember } from '../convert/replace-member.js';
import { ForwardedMessageEvents } from './forwarded-events.js';
import { withCodeRuns } from './message-answer.js';
import { toStopReason } from './stop-reason.js';
import { toFailure, toStreamFailure } from './upstream-error.js';
import { toTokenUsage } from './usage.js';

/** Passes answers of the Messages API through to a client that speaks it, and reads only what settling needs. */
export class ForwardedMessagesWire implements Wire {
  readonly provider: ProviderId;
  readonly #modelName: string;

  /** The client's name of the model; answers carry it. */
  constructor(provider: ProviderId, modelName: string) {
    this.provider = provider;
    this.#modelName = modelName;
  }

  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const { content, id, stop_reason: reason, usage } = body as Json;
    if (!Array.isArray(content)) return undefined;
    const blocks = filterObjects(content);
    return {
      responseId: textOrUndefined(id) ?? '',
      stopReason: toStopReason(textOrUndefined(reason) ?? 'stop'),
      text: blocks.map(readOutput).join(''),
      toolCalls: [],
      usage: withCodeRuns(toTokenUsage(usage), blocks),
      forwarded: Buffer.from(replaceMember(text, ['model'], this.#modelName) ?? text),
    };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ForwardedMessageEvents(this.#modelName, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

/** Returns the output of a block or item, for an estimate if the provider reports no usage. */
function readOutput({ type, text, thinking, name, input }: Json): string {
  if (type === 'tool_use') return `${textOrUndefined(name) ?? ''}${JSON.stringify(input ?? {})}`;
  return textOrUndefined(text) ?? textOrUndefined(thinking) ?? '';
}
