import type { LookupFunction } from 'node:net';
import type { Connection } from '@tollgate/catalog';
import type { Logger, Standstill } from '@tollgate/runtime';
import { AnthropicProvider } from '../anthropic/anthropic-provider.js';
import { BedrockEmbeddings } from '../bedrock/bedrock-embeddings.js';
import { BedrockProvider } from '../bedrock/bedrock-provider.js';
import type { ImageProvider } from '../contract/image-provider.js';
import type { MediaProvider } from '../contract/media-provider.js';
import type { Provider } from '../contract/provider.js';
import type { RealtimeProvider } from '../contract/realtime-provider.js';
import { GoogleEmbeddings } from '../google/google-embeddings.js';
import { GoogleImages } from '../google/google-images.js';
import { GoogleProvider } from '../google/google-provider.js';
import { azurePaths, plainPaths } from '../openai/azure-paths.js';
import { OpenAiEndpoint } from '../openai/media/openai-endpoint.js';
import { OpenAiImages } from '../openai/media/openai-images.js';
import { OpenAiMedia } from '../openai/media/openai-media.js';
import { OpenAiProvider } from '../openai/openai-provider.js';
import { OpenAiRealtime } from '../openai/realtime/openai-realtime.js';
import { TokenCounter } from '../openai/token-counter.js';
import { Upstream, type UpstreamLimits } from '../transport/upstream.js';
import { claudeHost, toVertexBody } from '../vertex/vertex.js';
import { embedByVertex } from '../vertex/vertex-embeddings.js';
import { createAuthorizer } from './authorizers.js';
import { KeyPool } from './key-pool.js';

/** Everything that one connection offers, over the same sockets. */
export interface OpenConnection {
  readonly id: string;
  /** Absent of a connection without network. */
  readonly keys?: KeyPool;
  readonly models: Provider;
  readonly images?: ImageProvider;
  readonly media?: MediaProvider;
  readonly realtime?: RealtimeProvider;
}

/** What all connections of a process share. */
export interface ConnectionOptions {
  /** Limits of connections that state none. */
  limits: UpstreamLimits;
  /** Name lookup of the sockets; it rejects private addresses unless they are allowed. */
  lookup?: LookupFunction | undefined;
  standstill: Pick<Standstill, 'over'>;
  logger?: Logger | undefined;
  /** Whether the connections are the installation's own, which may use files and the identity of this machine. */
  usesMachine?: boolean;
}

/** How the adapters of one connection reach its server. */
export interface ConnectionParts {
  readonly connection: Connection;
  /** Opens sockets; closed by the adapter that got them. */
  readonly openUpstream: (baseUrl: string) => Upstream;
  /** Sent with each request, a flat list. */
  readonly headers: readonly string[];
  readonly keys: KeyPool;
  readonly connectTimeoutMs: number;
  readonly lookup: LookupFunction | undefined;
}

const USER_AGENT = ['user-agent', 'tollgate'];
const ANTHROPIC_VERSION = ['anthropic-version', '2023-06-01'];

/**
 * Constructs the adapters of a connection. Opens no socket yet.
 *
 * @throws ConfigError for a combination that is not supported
 */
export function openConnection(connection: Connection, options: ConnectionOptions): OpenConnection {
  const parts = toParts(connection, options);
  return { ...openByWire(parts), keys: parts.keys };
}

function openByWire(parts: ConnectionParts): OpenConnection {
  const { connection } = parts;
  switch (connection.wire) {
    case 'openai-chat':
    case 'openai-responses':
      return openOpenAi(parts);
    case 'anthropic':
      return openAnthropic(parts);
    case 'gemini':
      return openGemini(parts);
    case 'bedrock':
      return openBedrock(parts);
  }
}

function toParts(connection: Connection, options: ConnectionOptions): ConnectionParts {
  const { limits, lookup, standstill } = options;
  const { provider, timeouts } = connection;
  const fixed = connection.wire === 'anthropic' ? [...USER_AGENT, ...ANTHROPIC_VERSION] : USER_AGENT;
  const headers = [...fixed, ...Object.entries(connection.headers).flat()];
  const connectTimeoutMs = timeouts.connect_ms ?? limits.connectTimeoutMs;
  const own = {
    connections: connection.sockets_max ?? limits.connections,
    inFlightMax: connection.in_flight_max ?? limits.inFlightMax,
    connectTimeoutMs,
    responseTimeoutMs: timeouts.response_ms ?? limits.responseTimeoutMs,
    idleTimeoutMs: timeouts.idle_ms ?? limits.idleTimeoutMs,
  };
  const keys = toKeyPool(connection, options);
  const openUpstream = (baseUrl: string): Upstream =>
    new Upstream({ ...own, provider, baseUrl, headers, keys, lookup, standstill });
  return { connection, openUpstream, headers, keys, connectTimeoutMs, lookup };
}

function toKeyPool(connection: Connection, { logger, usesMachine }: ConnectionOptions): KeyPool {
  const keys = connection.keys.length === 0 ? [undefined] : connection.keys;
  const pooled = keys.map((key) => ({
    authorizer: createAuthorizer(connection, key, { usesMachine }),
    weight: key?.weight ?? 1,
  }));
  return new KeyPool(pooled, {
    onRest: ({ key, status, restMs }) =>
      logger?.warn(
        { connection: connection.id, key: keys[key]?.id ?? key, status, rest_ms: restMs },
        'key of a connection rests',
      ),
  });
}

/** OpenAI, xAI, and every server that speaks their dialect: vLLM, Ollama, llama.cpp and the like. */
function openOpenAi({
  connection,
  openUpstream,
  headers,
  keys,
  connectTimeoutMs,
  lookup,
}: ConnectionParts): OpenConnection {
  const { id, auth, base_url: baseUrl, provider, quirks, wire } = connection;
  const version = auth.type === 'azure' ? auth.api_version : undefined;
  const toPath = version === undefined ? plainPaths : azurePaths(version);
  const upstream = openUpstream(baseUrl);
  const endpoint = new OpenAiEndpoint(provider, upstream, toPath);
  // Also its endpoints of regions, such as `eu.api.openai.com`: developers.openai.com/api/docs/guides/data-residency.
  const isVendor = /^(?:[a-z]+\.)?api\.openai\.com$/.test(new URL(baseUrl).hostname);
  const root = baseUrl.replace(/\/v1\/?$/, '');
  const models = new OpenAiProvider({
    id: provider,
    upstream,
    isVendor,
    hasChat: wire === 'openai-chat',
    hasResponses: wire === 'openai-responses' || (quirks.responses ?? isVendor),
    hasTopK: quirks.top_k ?? (!isVendor && auth.type !== 'azure'),
    quirks,
    toPath,
    counter: quirks.tokenize && new TokenCounter(quirks.tokenize, provider, openUpstream(root)),
  });
  const images = new OpenAiImages(endpoint);
  // xAI has none of them.
  if (provider === 'xai') return { id, models, images };
  const realtime = new OpenAiRealtime({ id: provider, baseUrl, headers, keys, connectTimeoutMs, lookup });
  return { id, models, images, media: new OpenAiMedia(endpoint), realtime };
}

function openAnthropic({ connection, openUpstream }: ConnectionParts): OpenConnection {
  const { id, auth, base_url: baseUrl, provider } = connection;
  const host = auth.type === 'google' ? { host: claudeHost } : {};
  return { id, models: new AnthropicProvider({ id: provider, upstream: openUpstream(baseUrl), ...host }) };
}

function openBedrock({ connection, openUpstream }: ConnectionParts): OpenConnection {
  const { id, base_url: baseUrl, provider } = connection;
  const upstream = openUpstream(baseUrl);
  return {
    id,
    models: new BedrockProvider({ id: provider, upstream }),
    media: new BedrockEmbeddings({ id: provider, upstream }),
  };
}

function openGemini({ connection, openUpstream }: ConnectionParts): OpenConnection {
  const { id, auth, base_url: baseUrl, provider } = connection;
  const upstream = openUpstream(baseUrl);
  const isVertex = auth.type === 'google';
  return {
    id,
    models: new GoogleProvider({ id: provider, upstream, ...(isVertex && { toBody: toVertexBody }) }),
    images: new GoogleImages({ id: provider, upstream }),
    media: new GoogleEmbeddings({ id: provider, upstream, ...(isVertex && { embedTexts: embedByVertex }) }),
  };
}
