import type { ProviderId } from '@tollgate/api/model-requests';
import type { JsonObject } from '@tollgate/runtime';
import type { FunctionTool } from '../../domain/model-request.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type { ForwardedRequest, ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import type { Wire } from '../contract/wire.js';
import { argumentsFault } from '../convert/arguments-schema.js';
import { ToolNames } from '../convert/tool-names.js';
import { watchStops } from '../listen/watch-stops.js';
import { HttpExchange } from '../transport/http-exchange.js';
import type { Upstream } from '../transport/upstream.js';
import { ForwardedGenerateWire, forwardedGenerateRequest } from './forwarded.js';
import { generateRequest, STOPS_MAX } from './generate-request.js';
import { GenerateWire } from './generate-wire.js';

const HEADERS = ['content-type', 'application/json'];

/** The Gemini API of Google AI Studio and of Vertex AI. */
export class GoogleProvider implements Provider {
  readonly id: ProviderId;
  readonly forwards = ['google-generate'] as const;
  readonly takesImagesInline = true;
  readonly #upstream: Upstream;
  readonly #toBody: (body: JsonObject) => JsonObject;

  /** The upstream is closed with the provider. `toBody`: the form of bodies at another host than Google AI Studio. */
  constructor({
    id,
    upstream,
    toBody,
  }: { id: ProviderId; upstream: Upstream; toBody?: (body: JsonObject) => JsonObject }) {
    this.id = id;
    this.#upstream = upstream;
    this.#toBody = toBody ?? ((body) => body);
  }

  parameters(): readonly OptionalParameter[] {
    return ['frequency_penalty', 'presence_penalty', 'seed', 'top_k'];
  }

  stopsMax(): number {
    return STOPS_MAX;
  }

  toolFault({ parameters }: FunctionTool): string | undefined {
    return argumentsFault(parameters);
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    const watched = call.forward ? [] : call.request().stop.slice(STOPS_MAX);
    return watchStops(watched, listener, (watching) => this.#send(call, watching));
  }

  #send(call: ModelCall, listener: ModelListener): ModelExchange {
    const { wire, body } = call.forward ? forwardedCall(this.id, call, call.forward) : translatedCall(this.id, call);
    const exchange = new HttpExchange(wire, call.isStream, listener);
    const path = modelPath(call.upstreamModel, call.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent');
    exchange.request = this.#upstream.post(path, HEADERS, call.encode(this.#toBody(body)), exchange, call.accountId);
    return exchange;
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}

function forwardedCall(
  id: ProviderId,
  call: ModelCall,
  { body, modelName }: ForwardedRequest,
): { wire: Wire; body: JsonObject } {
  const wire = new ForwardedGenerateWire(id, call.upstreamModel, modelName);
  return { wire, body: forwardedGenerateRequest(call, body) };
}

function translatedCall(id: ProviderId, call: ModelCall): { wire: Wire; body: JsonObject } {
  const wire = new GenerateWire(id, call.upstreamModel, new ToolNames(call.request()));
  return { wire, body: generateRequest(call) };
}

/** Returns the path of a model's method. The model's name is escaped to one segment. */
export function modelPath(upstreamModel: string, method: string): string {
  return `/models/${encodeURIComponent(upstreamModel)}:${method}`;
}
