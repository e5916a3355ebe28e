import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import { filterObjects, type Json, textOrUndefined } from '../../convert/answer-reading.js';
import { replaceMember } from '../../convert/replace-member.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import { ForwardedResponsesEvents } from './forwarded-responses-events.js';
import { callText, isClientCall, toResponseStopReason } from './responses-answer.js';
import { toTokenUsage } from './responses-usage.js';

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
    const response = body as Json;
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
function readOutput(item: Json): string {
  if (isClientCall(item)) return (textOrUndefined(item.name) ?? '') + callText(item);
  return [item.text, item.refusal].map((value) => textOrUndefined(value) ?? '').join('');
}
