import type { IncomingHttpHeaders } from 'node:http';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { Json } from '../answer-reading.js';
import type { ModelListener } from '../provider.js';
import type { ToolNames } from '../tool-names.js';
import type { StreamEnd, VendorEvents, Wire } from '../wire.js';
import { toAnswer } from './message-answer.js';
import { MessageEvents } from './message-events.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Answers of the Messages API. */
export class MessagesWire implements Wire {
  readonly provider = 'anthropic';
  readonly #upstreamModel: string;
  readonly #names: ToolNames;

  constructor(upstreamModel: string, names: ToolNames) {
    this.#upstreamModel = upstreamModel;
    this.#names = names;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    return toAnswer(body as Json, this.#names, this.#upstreamModel);
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new MessageEvents(this.#upstreamModel, this.#names, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(body, providerRequestId);
  }
}
