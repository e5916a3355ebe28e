import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import { type Json, objectsOf, textOrUndefined } from '../../convert/answer-reading.js';
import { replaceMember } from '../../convert/replace-member.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import { ForwardedResponsesEvents } from './forwarded-responses-events.js';
import { isFunctionCall, stopReasonOf } from './responses-answer.js';
import { toTokenUsage } from './responses-usage.js';

/** Answers of the Responses API for a client that speaks it: passed on, and read for settling only. */
export class ForwardedResponsesWire implements Wire {
  readonly provider: ProviderId;
  readonly #modelName: string;

  /** Answers carry the name that the client knows the model by. */
  constructor(provider: ProviderId, modelName: string) {
    this.provider = provider;
    this.#modelName = modelName;
  }

  /** A response that failed comes under 200, too. */
  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const response = body as Json;
    if (response.status === 'failed' || !Array.isArray(response.output)) return undefined;
    const items = objectsOf(response.output);
    const parts = items.flatMap(({ content, summary }) => [...objectsOf(content), ...objectsOf(summary)]);
    const isRefusal = parts.some(({ type }) => type === 'refusal');
    return {
      responseId: textOrUndefined(response.id) ?? '',
      stopReason: isRefusal ? 'refusal' : stopReasonOf(response, items.some(isFunctionCall)),
      text: [...items, ...parts].map(outputOf).join(''),
      toolCalls: [],
      usage: toTokenUsage(response.usage, items, this.provider),
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

/** For an estimate, where the provider gave no figure. */
function outputOf({ text, refusal, name, arguments: args }: Json): string {
  return [text, refusal, name, args].map((value) => textOrUndefined(value) ?? '').join('');
}
