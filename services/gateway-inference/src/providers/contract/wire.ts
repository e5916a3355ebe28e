import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from './provider.js';

/** How one vendor's answers to one call are read. */
export interface Wire {
  readonly provider: ProviderId;
  /** The parsed body of a plain answer → our answer; undefined when it is none. */
  readAnswer(body: object, text: string): ModelAnswer | undefined;
  /** Reads the events of a streamed answer, telling the listener what they bring and `end` how it ended. */
  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents;
  /** An answer with an error status → the failure. */
  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure;
  /** A body that tells an error although it came under 200 → the failure. */
  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure;
}

/** What a converter makes of the events of one stream. */
export interface VendorEvents {
  /** One event; `data` is never empty. Nothing comes after the stream has been ended. */
  receive(data: string, name: string | undefined): void;
  /** Whether the model has said why it stopped: only its figures and the end may follow. */
  readonly hasStopped: boolean;
  /** The connection ended: the answer, if what has come is a whole one. */
  finish(): ModelAnswer | undefined;
}

/** How a converter ends its stream; the first end counts. */
export interface StreamEnd {
  readonly providerRequestId: string | undefined;
  answer(answer: ModelAnswer): void;
  fail(failure: ProviderFailure): void;
  /** Something came that cannot be read. */
  failUnreadable(cause?: unknown): void;
}
