import type { FormData } from 'undici';

/** A request that is about to be sent. */
export interface OutgoingRequest {
  method: 'GET' | 'POST';
  /** `https://host` and a port, if it is not the default one. */
  origin: string;
  /** With the query. */
  path: string;
  /** A flat list of names and values, without those of the authorizer. */
  headers: readonly string[];
  /** Empty for GET. Forms are not signed: an authorizer that has to read the body rejects them. */
  body: string | Uint8Array | FormData;
}

/** Authorizes the requests of one key of a connection. */
export interface Authorizer {
  /**
   * Returns the headers to add, a flat list of names and values. Called once for each request, right before it is sent. Answers
   * without a promise where it can: a promise delays the request by a turn of the event loop. If it rejects, the request was not sent.
   */
  authorize(request: OutgoingRequest): readonly string[] | Promise<readonly string[]>;
}
