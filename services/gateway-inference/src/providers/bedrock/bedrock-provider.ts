import type { ProviderId } from '@tollgate/api/model-requests';
import type { FunctionTool } from '../../domain/model-request.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import { AnthropicProvider } from '../anthropic/anthropic-provider.js';
import type { CalledModel, ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import { argumentsFault } from '../convert/arguments-schema.js';
import { ToolNames } from '../convert/tool-names.js';
import { checkJson } from '../listen/check-json.js';
import { watchStops } from '../listen/watch-stops.js';
import { loadAmazonFrames } from '../transport/amazon-frames.js';
import { HttpExchange } from '../transport/http-exchange.js';
import { prepared } from '../transport/prepared-body.js';
import type { Upstream } from '../transport/upstream.js';
import { isClaude, modelPath } from './bedrock-models.js';
import { claudeHost } from './claude-host.js';
import { converseRequest, STOPS_MAX } from './converse-request.js';
import { ConverseWire } from './converse-wire.js';

const HEADERS = ['content-type', 'application/json'];

/** Amazon Bedrock: Claude in Anthropic's own form by InvokeModel, all other models by Converse. */
export class BedrockProvider implements Provider {
  readonly id: ProviderId;
  readonly forwards = ['anthropic-messages'] as const;
  readonly takesImagesInline = true;
  readonly #upstream: Upstream;
  readonly #claude: AnthropicProvider;

  /** The upstream is closed with the provider. */
  constructor({ id, upstream }: { id: ProviderId; upstream: Upstream }) {
    this.id = id;
    this.#upstream = upstream;
    this.#claude = new AnthropicProvider({ id, upstream, host: claudeHost });
  }

  converts(model: Pick<CalledModel, 'upstreamModel' | 'modelId'>): boolean {
    return !isClaude(model);
  }

  parameters(upstreamModel: string): readonly OptionalParameter[] {
    return isClaude({ upstreamModel, modelId: '' }) ? this.#claude.parameters(upstreamModel) : [];
  }

  /** JSON without a schema is asked by an instruction. */
  lacks(): readonly OptionalParameter[] {
    return ['json_object'];
  }

  toolFault(tool: FunctionTool): string | undefined {
    return argumentsFault(tool.parameters);
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    if (isClaude(call)) return this.#claude.start(call, listener);
    const request = call.request();
    return watchStops(request.stop.slice(STOPS_MAX), listener, (watching) => {
      const heard = request.outputFormat?.type === 'json_object' ? checkJson(watching) : watching;
      return this.#converse(call, heard);
    });
  }

  #converse(call: ModelCall, listener: ModelListener): ModelExchange {
    const { upstreamModel, isStream } = call;
    const names = new ToolNames(call.request());
    const wire = new ConverseWire({ provider: this.id, upstreamModel, names });
    const exchange = new HttpExchange(wire, isStream, listener);
    const body = prepared(call.encode(converseRequest(call, this.id)), loadAmazonFrames);
    const path = modelPath(upstreamModel, isStream ? 'converse-stream' : 'converse');
    exchange.request = this.#upstream.post(path, HEADERS, body, exchange, call.accountId);
    return exchange;
  }

  close(): Promise<void> {
    return this.#upstream.close();
  }
}
