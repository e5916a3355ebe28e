import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../../domain/model-answer.js';
import type { ProviderFailure } from '../../../domain/provider-failure.js';
import type { ModelListener } from '../../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../../contract/wire.js';
import type { Json } from '../../convert/answer-reading.js';
import type { ToolNames } from '../../convert/tool-names.js';
import { toFailure, toStreamFailure } from '../upstream-error.js';
import { toAnswer } from './responses-answer.js';
import { ResponsesEvents } from './responses-events.js';

/** Answers of the Responses API. */
export class ResponsesWire implements Wire {
  readonly provider: ProviderId;
  readonly #upstreamModel: string;
  readonly #names: ToolNames;

  constructor(provider: ProviderId, upstreamModel: string, names: ToolNames) {
    this.provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#names = names;
  }

  /** A failed response also has status 200. */
  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    const response = body as Json;
    if (response.status === 'failed') return undefined;
    return toAnswer(response, this.#names, this.provider, this.#upstreamModel);
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ResponsesEvents(this.provider, this.#upstreamModel, this.#names, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}
