import type { ProviderId } from '@tollgate/api/model-requests';
import { AnthropicProvider } from './anthropic/anthropic-provider.js';
import type { ImageProvider } from './contract/image-provider.js';
import type { MediaProvider } from './contract/media-provider.js';
import type { Provider } from './contract/provider.js';
import type { RealtimeProvider } from './contract/realtime-provider.js';
import { GoogleImages } from './google/google-images.js';
import { GoogleProvider } from './google/google-provider.js';
import { OpenAiEndpoint } from './openai/media/openai-endpoint.js';
import { OpenAiImages } from './openai/media/openai-images.js';
import { OpenAiMedia } from './openai/media/openai-media.js';
import { OpenAiProvider } from './openai/openai-provider.js';
import { OpenAiRealtime } from './openai/realtime/openai-realtime.js';
import { TokenCounter, type TokenizeForm } from './openai/token-counter.js';
import { SandboxImages } from './sandbox/sandbox-images.js';
import { SandboxMedia } from './sandbox/sandbox-media.js';
import { SandboxProvider } from './sandbox/sandbox-provider.js';
import { Upstream, type UpstreamOptions } from './transport/upstream.js';

/** How a vendor is reached. */
export interface VendorAccess {
  baseUrl: string;
  /** Absent for local servers that require none. */
  apiKey: string | undefined;
  /** A server other than OpenAI's that also implements the Responses API. */
  hasResponses?: boolean;
  /** How a server other than OpenAI's counts tokens; absent if it does not. */
  tokenizeForm?: TokenizeForm | undefined;
}

/** Everything one vendor offers, over the same connections. */
export interface Vendor {
  models: Provider;
  images?: ImageProvider;
  media?: MediaProvider;
  realtime?: RealtimeProvider;
}

type Connect = (provider: ProviderId, baseUrl: string) => Upstream;

/** How WebSockets to a vendor are opened. */
export type SocketOptions = Pick<UpstreamOptions, 'connectTimeoutMs' | 'lookup'>;

/** Returns a function that opens the connections to one vendor. */
export function connectWith(options: Omit<UpstreamOptions, 'provider' | 'baseUrl'>): Connect {
  return (provider, baseUrl) => new Upstream({ ...options, provider, baseUrl });
}

const USER_AGENT = ['user-agent', 'tollgate'];
const ANTHROPIC_VERSION = ['anthropic-version', '2023-06-01'];

/** OpenAI, and every server that speaks its dialect: vLLM, Ollama, llama.cpp and the like. */
export function openai(
  { baseUrl, apiKey, hasResponses = false, tokenizeForm }: VendorAccess,
  connect: Connect,
  sockets: SocketOptions,
): Vendor {
  const id = 'openai';
  const upstream = connect(id, baseUrl);
  const headers = bearer(apiKey);
  const endpoint = new OpenAiEndpoint(id, upstream, headers);
  const isVendor = new URL(baseUrl).hostname === 'api.openai.com';
  const root = baseUrl.replace(/\/v1\/?$/, '');
  return {
    models: new OpenAiProvider({
      id,
      upstream,
      headers,
      isVendor,
      hasResponses: isVendor || hasResponses,
      hasTopK: !isVendor,
      counter: tokenizeForm && new TokenCounter(tokenizeForm, id, connect(id, root), headers),
    }),
    images: new OpenAiImages(endpoint),
    media: new OpenAiMedia(endpoint),
    realtime: new OpenAiRealtime({ ...sockets, id, baseUrl, headers }),
  };
}

/** xAI speaks OpenAI's dialect. */
export function xai({ baseUrl, apiKey }: VendorAccess, connect: Connect): Vendor {
  const id = 'xai';
  const upstream = connect(id, baseUrl);
  const headers = bearer(apiKey);
  return {
    models: new OpenAiProvider({ id, upstream, headers, isVendor: false, hasResponses: false, hasTopK: false }),
    images: new OpenAiImages(new OpenAiEndpoint(id, upstream, headers)),
  };
}

export function anthropic({ baseUrl, apiKey }: VendorAccess, connect: Connect): Vendor {
  const headers = [...USER_AGENT, ...ANTHROPIC_VERSION, ...(apiKey ? ['x-api-key', apiKey] : [])];
  return { models: new AnthropicProvider(connect('anthropic', baseUrl), headers) };
}

export function googleAiStudio({ baseUrl, apiKey }: VendorAccess, connect: Connect): Vendor {
  const upstream = connect('google-ai-studio', baseUrl);
  const headers = [...USER_AGENT, ...(apiKey ? ['x-goog-api-key', apiKey] : [])];
  return {
    models: new GoogleProvider(upstream, headers),
    images: new GoogleImages(upstream, [...headers, 'content-type', 'application/json']),
  };
}

/** Answers without network, for tests and trials. */
export function sandbox(): Vendor {
  return { models: new SandboxProvider(), images: new SandboxImages(), media: new SandboxMedia() };
}

function bearer(apiKey: string | undefined): string[] {
  return apiKey ? [...USER_AGENT, 'authorization', `Bearer ${apiKey}`] : USER_AGENT;
}
