import type { JsonObject } from '@tollgate/runtime';
import type { CalledModel } from './provider.js';
import type { Wire } from './wire.js';

/** A request of Anthropic's Messages API, as one host takes it. */
export interface HostedRequest {
  path: string;
  body: JsonObject;
  /** A flat list of names and values. */
  headers: string[];
}

/** How one host serves Anthropic's Messages API: the vendor itself, Bedrock, Vertex AI. */
export interface MessagesHost {
  /** Returns the vendor's own name of a model, by which its traits are known. */
  toModelName(model: Pick<CalledModel, 'upstreamModel' | 'modelId'>): string;
  /**
   * Returns the request of a host for the vendor's own body.
   *
   * @param upstreamModel - the model's name at the host
   * @param betas - features that the client's body needs, by their full names
   */
  toRequest(body: JsonObject, upstreamModel: string, betas: readonly string[]): HostedRequest;
  /** Returns the wire of a host's answers. */
  toWire(wire: Wire): Wire;
  /** Loads what reading the host's answers needs; awaited before a request is sent. Absent: nothing. */
  prepare?(): Promise<void>;
}
