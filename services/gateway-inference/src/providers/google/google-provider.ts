import type { ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import { ToolNames } from '../convert/tool-names.js';
import { HttpExchange } from '../transport/http-exchange.js';
import type { Upstream } from '../transport/upstream.js';
import { generateRequest } from './generate-request.js';
import { GenerateWire } from './generate-wire.js';
import { modelPath } from './google-path.js';

/** Google AI Studio's Gemini API. */
export class GoogleProvider implements Provider {
  readonly id = 'google-ai-studio';
  readonly forwards = [];
  readonly #upstream: Upstream;
  readonly #headers: string[];

  /** `headers` are a flat list with the credential; the upstream is closed with the provider. */
  constructor(upstream: Upstream, headers: readonly string[]) {
    this.#upstream = upstream;
    this.#headers = [...headers, 'content-type', 'application/json'];
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    const body = generateRequest(call);
    const wire = new GenerateWire(call.upstreamModel, new ToolNames(call.request()));
    const exchange = new HttpExchange(wire, call.isStream, listener);
    const path = modelPath(call.upstreamModel, call.isStream ? 'streamGenerateContent?alt=sse' : 'generateContent');
    exchange.request = this.#upstream.post(path, this.#headers, JSON.stringify(body), exchange, call.accountId);
    return exchange;
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}
