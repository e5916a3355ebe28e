import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelRequest } from '../../domain/model-request.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type { ForwardableDialect, ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import type { Wire } from '../contract/wire.js';
import type { Json } from '../convert/answer-reading.js';
import { ToolNames } from '../convert/tool-names.js';
import { HttpExchange } from '../transport/http-exchange.js';
import type { Upstream } from '../transport/upstream.js';
import { chatRequest, forwardedChatRequest, type TokenBoundName } from './chat/chat-request.js';
import { ChatWire } from './chat/chat-wire.js';
import { forwardedResponsesRequest } from './responses/forwarded-responses-request.js';
import { ForwardedResponsesWire } from './responses/forwarded-responses-wire.js';
import { responsesRequest } from './responses/responses-request.js';
import { ResponsesWire } from './responses/responses-wire.js';

export interface OpenAiProviderOptions {
  id: ProviderId;
  /** Closed with the provider. */
  upstream: Upstream;
  /** A flat list with the credential. */
  headers: readonly string[];
  /** Whether this is OpenAI itself, not a compatible server. */
  isVendor: boolean;
  /** Whether the server has the Responses API, so that its clients can be forwarded. */
  hasResponses: boolean;
  /** Whether the server has `top_k`, which OpenAI and xAI lack. */
  hasTopK: boolean;
}

const CHAT_PATH = '/chat/completions';
const RESPONSES_PATH = '/responses';

/** Servers with OpenAI's chat completions: OpenAI, xAI, vLLM, Ollama, llama.cpp and the like. */
export class OpenAiProvider implements Provider {
  readonly id: ProviderId;
  readonly forwards: readonly ForwardableDialect[];
  readonly #parameters: readonly OptionalParameter[];
  readonly lackedParameters: readonly OptionalParameter[];
  readonly #upstream: Upstream;
  readonly #isVendor: boolean;
  readonly #bound: TokenBoundName;
  readonly #plainHeaders: string[];
  readonly #streamHeaders: string[];

  constructor({ id, upstream, headers, isVendor, hasResponses, hasTopK }: OpenAiProviderOptions) {
    this.id = id;
    this.forwards = hasResponses ? ['openai-chat', 'openai-responses'] : ['openai-chat'];
    const sampling = ['frequency_penalty', 'presence_penalty', 'seed'] as const;
    this.#parameters = hasTopK ? [...sampling, 'top_k'] : sampling;
    this.lackedParameters = hasTopK ? [] : ['top_k'];
    this.#upstream = upstream;
    this.#isVendor = isVendor;
    this.#bound = isVendor ? 'max_completion_tokens' : 'max_tokens';
    const shared = [...headers, 'content-type', 'application/json'];
    this.#plainHeaders = [...shared, 'accept', 'application/json'];
    this.#streamHeaders = [...shared, 'accept', 'text/event-stream'];
  }

  parameters(): readonly OptionalParameter[] {
    return this.#parameters;
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    const isResponses = call.forward
      ? call.forward.dialect === 'openai-responses'
      : needsResponsesApi(call.request(), this.#isVendor);
    const { wire, body } = isResponses ? this.#responsesCall(call) : this.#chatCall(call);
    const exchange = new HttpExchange(wire, call.isStream, listener);
    const shared = call.isStream ? this.#streamHeaders : this.#plainHeaders;
    const headers = [...shared, 'x-client-request-id', call.holdId, ...featureHeaders(call)];
    const path = isResponses ? RESPONSES_PATH : CHAT_PATH;
    exchange.request = this.#upstream.post(path, headers, call.encode(body), exchange, call.accountId);
    return exchange;
  }

  #chatCall(call: ModelCall): { wire: Wire; body: Json } {
    const { forward } = call;
    if (forward) {
      const wire = new ChatWire(this.id, undefined, forward);
      return { wire, body: forwardedChatRequest(call, forward.body, this.#bound) };
    }
    const wire = new ChatWire(this.id, new ToolNames(call.request()), undefined);
    return { wire, body: chatRequest(call, this.#bound, this.id) };
  }

  #responsesCall(call: ModelCall): { wire: Wire; body: Json } {
    const { forward } = call;
    if (forward) {
      const wire = new ForwardedResponsesWire(this.id, forward.modelName);
      return { wire, body: forwardedResponsesRequest(call, forward.body) };
    }
    const wire = new ResponsesWire(this.id, call.upstreamModel, new ToolNames(call.request()));
    return { wire, body: responsesRequest(call, this.id) };
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}

/** Headers that the client's body needs at the vendor. */
const features = new Set(['x-openai-internal-codex-responses-lite']);

function featureHeaders({ forward }: ModelCall): string[] {
  const needed = forward?.betas.filter((name) => features.has(name)) ?? [];
  return needed.flatMap((name) => [name, 'true']);
}

/**
 * Whether a request needs the Responses API. Only it has the vendors' own tools, and only there OpenAI's models accept
 * functions together with a reasoning effort. Other servers may not have it.
 */
function needsResponsesApi(request: ModelRequest, isVendor: boolean): boolean {
  if (request.providerTools && request.providerTools.length > 0) return true;
  const wantsReasoning = request.reasoningEffort !== undefined && request.reasoningEffort !== 'none';
  return isVendor && wantsReasoning && request.tools.length > 0 && request.stop.length === 0 && !request.sampling;
}
