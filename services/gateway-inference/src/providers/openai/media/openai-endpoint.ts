import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import { FormData } from 'undici';
import { ProviderFailure } from '../../../domain/provider-failure.js';
import { readRequestId } from '../../convert/answer-reading.js';
import type { Upstream } from '../../transport/upstream.js';
import { callUpstream, openUpstream, type UpstreamCall, type WholeAnswer } from '../../transport/upstream-call.js';
import { plainPaths, type ToPath } from '../azure-paths.js';
import { toFailure } from '../upstream-error.js';

/** The common part of image and media calls. */
interface EndpointCall {
  holdId: string;
  upstreamModel: string;
  accountId: string;
  signal: AbortSignal;
}

/** The image and media endpoints of OpenAI, or of a server that speaks its dialect. */
export class OpenAiEndpoint {
  readonly id: ProviderId;
  readonly #upstream: Upstream;
  readonly #toPath: ToPath;

  constructor(id: ProviderId, upstream: Upstream, toPath: ToPath = plainPaths) {
    this.id = id;
    this.#upstream = upstream;
    this.#toPath = toPath;
  }

  /** @throws ProviderFailure; the signal's reason when the caller has left */
  post(path: string, body: object | FormData, call: EndpointCall, bytesMax: number): Promise<WholeAnswer> {
    return callUpstream(this.#upstream, this.#toCall(path, body, call, bytesMax));
  }

  /** Like `post`, for an answer that is read while it arrives. */
  open(path: string, body: object | FormData, call: EndpointCall, bytesMax: number): ReturnType<typeof openUpstream> {
    return openUpstream(this.#upstream, this.#toCall(path, body, call, bytesMax));
  }

  /** The failure of a 2xx answer that has another form than documented. */
  unreadable(headers: IncomingHttpHeaders): ProviderFailure {
    const providerRequestId = readRequestId(headers);
    return new ProviderFailure({ kind: 'invalid_response', provider: this.id, providerRequestId });
  }

  #toCall(plain: string, body: object | FormData, call: EndpointCall, bytesMax: number): UpstreamCall {
    const { holdId, accountId, signal, upstreamModel } = call;
    const path = this.#toPath(plain, upstreamModel);
    const headers = ['x-client-request-id', holdId];
    const common = { path, signal, accountId, bytesMax, readFailure: toFailure.bind(undefined, this.id) };
    // undici adds the content type of a form, with its boundary.
    if (body instanceof FormData) return { ...common, headers, body };
    return { ...common, headers: [...headers, 'content-type', 'application/json'], body: JSON.stringify(body) };
  }
}
