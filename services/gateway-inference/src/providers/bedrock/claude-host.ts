import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@tollgate/runtime';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { HostedRequest, MessagesHost } from '../contract/messages-host.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { parseObject, textOrUndefined } from '../convert/answer-reading.js';
import { EXCEPTION, loadAmazonFrames, openAmazonFrames } from '../transport/amazon-frames.js';
import { modelPath, toClaudeName } from './bedrock-models.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

const VERSION = 'bedrock-2023-05-31';

/**
 * Features that Bedrock knows, by the vendor's names, with its own name of each; it refuses requests with others.
 *
 * Source: `bedrock` of litellm/anthropic_beta_headers_config.json in BerriAI/litellm at 030dd40a, read 2026-11-30.
 */
const bedrockBetas: Record<string, string> = {
  'advanced-tool-use-2025-11-20': 'tool-search-tool-2025-10-19',
  'computer-use-2025-01-24': 'computer-use-2025-01-24',
  'computer-use-2025-11-24': 'computer-use-2025-11-24',
  'context-management-2025-06-27': 'context-management-2025-06-27',
  'effort-2025-11-24': 'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14': 'fine-grained-tool-streaming-2025-05-14',
  'mid-conversation-output-config-2026-07-01': 'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01': 'mid-conversation-tool-changes-2026-07-01',
  'thinking-binding-controls-2026-08-01': 'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18': 'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19': 'tool-search-tool-2025-10-19',
};

/**
 * Claude on Bedrock: InvokeModel with the vendor's own bodies. The path has the model and whether the answer is a stream, the body the
 * version and the features.
 *
 * Source: `@anthropic-ai/bedrock-sdk` 1.1 (`#adaptRequest`), read 2026-11-30.
 */
export const claudeHost: MessagesHost = {
  toModelName: toClaudeName,
  toRequest(body, upstreamModel, betas): HostedRequest {
    const { model: _model, stream, ...rest } = body;
    const known = [...new Set(betas.flatMap((name) => bedrockBetas[name] ?? []))];
    const hosted: JsonObject = { anthropic_version: VERSION, ...rest };
    if (known.length > 0) hosted.anthropic_beta = known;
    const path = modelPath(upstreamModel, stream === true ? 'invoke-with-response-stream' : 'invoke');
    return { path, body: hosted, headers: [] };
  },
  toWire: (wire) => new BedrockMessagesWire(wire),
  prepare: loadAmazonFrames,
};

/** Answers of InvokeModel: the vendor's own, in AWS's frames and with AWS's errors. */
class BedrockMessagesWire implements Wire {
  readonly #wire: Wire;
  readonly openFrames = openAmazonFrames;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get provider(): Wire['provider'] {
    return this.#wire.provider;
  }

  get converted(): Wire {
    return this;
  }

  readAnswer(body: object, text: string): ReturnType<Wire['readAnswer']> {
    return this.#wire.readAnswer(body, text);
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    const events = this.#wire.openEvents(listener, end);
    const { provider } = this.#wire;
    return {
      receive(data, name) {
        if (name === EXCEPTION) {
          end.fail(toStreamFailure(provider, parseObject(data) ?? {}, end.providerRequestId));
          return;
        }
        const event = readChunk(data);
        if (event !== undefined) events.receive(event, undefined);
      },
      get hasStopped() {
        return events.hasStopped;
      },
      finish: () => events.finish(),
    };
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

/** Returns the event in a chunk: `{bytes: "<base64>"}`. Other frames carry none. */
function readChunk(data: string): string | undefined {
  const bytes = textOrUndefined(parseObject(data)?.bytes);
  return bytes === undefined ? undefined : Buffer.from(bytes, 'base64').toString('utf8');
}
