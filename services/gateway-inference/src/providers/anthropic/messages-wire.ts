import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import type { Json } from '../convert/answer-reading.js';
import { type AskedMessage, toAnswer } from './message-answer.js';
import { MessageEvents } from './message-events.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Answers of the Messages API. */
export class MessagesWire implements Wire {
  readonly provider: ProviderId;
  readonly #asked: AskedMessage;

  constructor(provider: ProviderId, asked: AskedMessage) {
    this.provider = provider;
    this.#asked = asked;
  }

  get converted(): Wire {
    return this;
  }

  readAnswer(body: object): ModelAnswer | undefined {
    return toAnswer(body as Json, this.#asked);
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new MessageEvents(this.#asked, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}
