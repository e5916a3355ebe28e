import type { ProviderId } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import type { FunctionTool, ModelRequest } from '../../domain/model-request.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type {
  CalledModel,
  ForwardableDialect,
  ModelCall,
  ModelExchange,
  ModelListener,
  Provider,
} from '../contract/provider.js';
import type { Wire } from '../contract/wire.js';
import { argumentsFault } from '../convert/arguments-schema.js';
import { ToolNames } from '../convert/tool-names.js';
import { countMissing } from '../listen/count-missing.js';
import { watchStops } from '../listen/watch-stops.js';
import { HttpExchange } from '../transport/http-exchange.js';
import type { Upstream } from '../transport/upstream.js';
import { plainPaths, type ToPath } from './azure-paths.js';
import {
  type ChatQuirks,
  chatRequest,
  fitChatBody,
  forwardedChatRequest,
  type TokenBoundName,
} from './chat/chat-request.js';
import { ChatWire } from './chat/chat-wire.js';
import { findCallTraits, findTraits, type ModelTraits } from './model-traits.js';
import { ForwardedResponsesWire, forwardedResponsesRequest } from './responses/forwarded.js';
import { responsesRequest } from './responses/responses-request.js';
import { ResponsesWire } from './responses/responses-wire.js';
import type { TokenCounter } from './token-counter.js';

export interface OpenAiProviderOptions {
  id: ProviderId;
  /** Closed with the provider. */
  upstream: Upstream;
  /** Whether this is OpenAI itself, not a compatible server. */
  isVendor: boolean;
  /** Whether the server has chat completions; otherwise all calls take the Responses API. */
  hasChat: boolean;
  /** Whether the server has the Responses API, so that its clients can be forwarded. */
  hasResponses: boolean;
  /** Whether the server has `top_k`, which OpenAI and xAI lack. */
  hasTopK: boolean;
  /** Counts the tokens of chat calls without usage; closed with the provider. Undefined: they are estimated. */
  counter?: TokenCounter | undefined;
  /** How the server deviates from OpenAI; absent: not. */
  quirks?: ChatQuirks & { lacks?: readonly OptionalParameter[] | undefined };
  /** The paths of requests; absent: OpenAI's. */
  toPath?: ToPath;
}

const CHAT = ['openai-chat'] as const;
const RESPONSES = ['openai-responses'] as const;
const JSON_HEADERS = ['content-type', 'application/json', 'accept'];
const PLAIN_HEADERS = [...JSON_HEADERS, 'application/json'];
const STREAM_HEADERS = [...JSON_HEADERS, 'text/event-stream'];
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
  readonly #hasChat: boolean;
  readonly #counter: TokenCounter | undefined;
  readonly #quirks: ChatQuirks;
  readonly #lacks: readonly OptionalParameter[];
  readonly #toPath: ToPath;

  constructor(options: OpenAiProviderOptions) {
    const { id, upstream, isVendor, hasChat, hasResponses, hasTopK, counter, quirks = {} } = options;
    this.id = id;
    this.#quirks = quirks;
    this.#lacks = quirks.lacks ?? [];
    this.#toPath = options.toPath ?? plainPaths;
    this.forwards = [...(hasChat ? CHAT : []), ...(hasResponses ? RESPONSES : [])];
    const sampling = ['frequency_penalty', 'presence_penalty', 'seed'] as const;
    // The Responses API has none of them.
    if (!hasChat) this.#parameters = [];
    else this.#parameters = hasTopK ? [...sampling, 'top_k'] : sampling;
    this.lackedParameters = hasTopK ? [] : ['top_k'];
    this.#upstream = upstream;
    this.#isVendor = isVendor;
    this.#hasChat = hasChat;
    this.#counter = counter;
  }

  parameters(): readonly OptionalParameter[] {
    return this.#parameters;
  }

  toolFault({ parameters }: FunctionTool): string | undefined {
    return argumentsFault(parameters);
  }

  /** OpenAI's models draw tokens without settings while they reason. */
  lacks(model: CalledModel): readonly OptionalParameter[] {
    return findTraits(model, this.id).hasSampling ? this.#lacks : [...SAMPLING, ...this.#lacks];
  }

  stopsMax(model: CalledModel): number {
    return findTraits(model, this.id).stopsMax;
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    if (call.forward) return this.#send(call, listener, call.forward.dialect === 'openai-responses');
    const request = call.request();
    const isResponses = !this.#hasChat || needsResponsesApi(request, this.#isVendor);
    const taken = isResponses ? 0 : findCallTraits(call, this.id).stopsMax;
    return watchStops(request.stop.slice(taken), listener, (watching) => this.#send(call, watching, isResponses));
  }

  #bound({ hasNewerBound }: ModelTraits): TokenBoundName {
    return this.#isVendor || hasNewerBound ? 'max_completion_tokens' : 'max_tokens';
  }

  #send(call: ModelCall, listener: ModelListener, isResponses: boolean): ModelExchange {
    const { wire, body } = isResponses ? this.#responsesCall(call) : this.#chatCall(call);
    const path = isResponses ? RESPONSES_PATH : CHAT_PATH;
    const start = (to: ModelListener) => this.#post(path, call, body, new HttpExchange(wire, call.isStream, to));
    const counter = this.#counter;
    if (!counter || isResponses) return start(listener);
    return countMissing(listener, start, (output, signal) => counter.count(call, body, output, signal));
  }

  #post(path: string, call: ModelCall, body: JsonObject, exchange: HttpExchange): ModelExchange {
    const shared = call.isStream ? STREAM_HEADERS : PLAIN_HEADERS;
    const headers = [...shared, 'x-client-request-id', call.holdId, ...featureHeaders(call)];
    const at = this.#toPath(path, call.upstreamModel);
    exchange.request = this.#upstream.post(at, headers, call.encode(body), exchange, call.accountId);
    return exchange;
  }

  #chatCall(call: ModelCall): { wire: Wire; body: JsonObject } {
    const { forward } = call;
    if (forward) {
      const wire = new ChatWire(this.id, undefined, forward);
      const traits = findTraits({ ...call, isReasoningOff: false }, this.id);
      const body = forwardedChatRequest(call, forward.body, this.#bound(traits));
      return { wire, body: fitChatBody(body, this.#quirks) };
    }
    const wire = new ChatWire(this.id, new ToolNames(call.request()), undefined);
    const body = chatRequest(call, this.#bound(findCallTraits(call, this.id)), this.id);
    return { wire, body: fitChatBody(body, this.#quirks) };
  }

  #responsesCall(call: ModelCall): { wire: Wire; body: JsonObject } {
    const { forward } = call;
    if (forward) {
      const wire = new ForwardedResponsesWire(this.id, forward.modelName);
      return { wire, body: forwardedResponsesRequest(call, forward.body) };
    }
    const wire = new ResponsesWire(this.id, call.upstreamModel, new ToolNames(call.request()));
    return { wire, body: responsesRequest(call, this.id) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#upstream.close(), this.#counter?.close()]);
  }
}

const SAMPLING = [
  ...(['temperature', 'top_p', 'frequency_penalty', 'presence_penalty'] as const),
  ...(['logprobs', 'top_logprobs'] as const),
];

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
  return isVendor && wantsReasoning && request.tools.length > 0 && !request.sampling;
}
