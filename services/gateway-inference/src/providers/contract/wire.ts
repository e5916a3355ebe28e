import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from './provider.js';

/** Reads one vendor's answer to one call. */
export interface Wire {
  readonly provider: ProviderId;
  /** Converts the parsed body of a plain answer. Returns undefined if it is not an answer. */
  readAnswer(body: object, text: string): ModelAnswer | undefined;
  /** Cuts the bytes of a stream into events; absent: they are server-sent events. */
  readonly openFrames?: (sink: FrameSink) => Frames;
  /** Reads the events of a streamed answer. Reports its output to the listener, and its end to `end`. */
  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents;
  /**
   * Of a wire that forwards: reads the same answers converted, for a server that ignores whether a stream was requested. Absent for
   * vendors that never do.
   */
  readonly converted?: Wire;
  /** Converts an answer with an error status. */
  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure;
  /** Converts an error body that came with status 200. */
  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure;
}

/** Cuts the bytes of one stream into events. */
export interface Frames {
  feed(chunk: Buffer): void;
}

/** Takes the events of one stream. */
export interface FrameSink {
  /** `data` is never empty; `name` is the event's, if it has one. */
  receive(data: string, name: string | undefined): void;
  /** The bytes cannot be read. Nothing follows. */
  fail(cause: unknown): void;
}

/** Reads the events of one stream. */
export interface VendorEvents {
  /** Reads one event; `data` is never empty. Not called after the stream's end. */
  receive(data: string, name: string | undefined): void;
  /** Whether the stop reason has arrived: only usage and the end may follow. */
  readonly hasStopped: boolean;
  /** The connection has ended. Returns the answer if it is complete. */
  finish(): ModelAnswer | undefined;
}

/** Ends a stream; only the first call has an effect. */
export interface StreamEnd {
  readonly provider: ProviderId;
  readonly providerRequestId: string | undefined;
  answer(answer: ModelAnswer): void;
  fail(failure: ProviderFailure): void;
  /** An event cannot be read. */
  failUnreadable(cause?: unknown): void;
}
