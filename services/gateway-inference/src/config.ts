import { ConfigError, fields } from '@tollgate/runtime';
import { defineConfig, sharedFields } from '@tollgate/service';
import type { S3Access } from './clients/s3-storage.js';
import { toDefaultConnections } from './providers/connections/default-connections.js';
import { isRefusedLiteral } from './providers/transport/guarded-lookup.js';
import type { SearchBackendConfig } from './tools/web-search.js';

const providerUrls = ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'XAI_BASE_URL'] as const;

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'gateway-inference',
  peers: ['agent-registry', 'billing-ledger', 'hooks-webhooks', 'messaging'],
  fields: {
    /** For images and stored responses. Too low: their requests wait and fail. */
    DATABASE_POOL_MAX: fields.integer(1, 500).default(5),
    REDIS_URL: sharedFields.REDIS_URL,
    MODEL_CATALOG_FILE: sharedFields.MODEL_CATALOG_FILE,
    PROMPT_OVERHEAD_TOKENS: sharedFields.PROMPT_OVERHEAD_TOKENS,
    SANDBOX_PROVIDER: sharedFields.SANDBOX_PROVIDER,
    PUBLIC_BASE_URL: sharedFields.PUBLIC_BASE_URL,
    ALLOW_PRIVATE_ENDPOINTS: sharedFields.ALLOW_PRIVATE_ENDPOINTS,

    /**
     * Puts the texts of requests and answers into the spans of model calls, when tracing is on. They then leave for the collector:
     * everyone who reads its store reads the texts of customers.
     */
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: fields.bool().default(false),

    /** A key or a base URL adds the provider. With a wrong key its routes fail, and others are tried. */
    OPENAI_API_KEY: fields.secret().optional(),
    OPENAI_BASE_URL: fields.url().optional(),
    /** Says that the server behind OPENAI_BASE_URL has the Responses API. Set wrongly, forwarded requests get 404. */
    OPENAI_RESPONSES_API: fields.bool().default(false),
    /** How that server counts tokens, for answers without usage. Set wrongly, they are estimated two seconds later. */
    OPENAI_TOKENIZE: fields.choice('vllm', 'llama.cpp').optional(),
    ANTHROPIC_API_KEY: fields.secret().optional(),
    ANTHROPIC_BASE_URL: fields.url().optional(),
    GEMINI_API_KEY: fields.secret().optional(),
    GEMINI_BASE_URL: fields.url().optional(),
    XAI_API_KEY: fields.secret().optional(),
    XAI_BASE_URL: fields.url().optional(),
    /** Further connections, as JSON; read again when it changes. With an invalid file, the start fails; later, the last good one stays. */
    CONNECTIONS_FILE: fields.text().optional(),
    /** Sockets per connection. Too low: requests wait. Too high: file descriptors run out. */
    PROVIDER_CONNECTIONS: fields.integer(1, 10_000).default(1_024),
    /** Requests per connection, in progress and waiting; more are refused. */
    PROVIDER_IN_FLIGHT_MAX: fields.integer(1, 100_000).default(8_000),
    PROVIDER_CONNECT_TIMEOUT: fields.durationMs().default(5_000),
    /** Until the first byte of an answer. Too short: slow models fail although they were paid for. */
    PROVIDER_RESPONSE_TIMEOUT: fields.durationMs().default(120_000),
    /** Between two parts of an answer. */
    PROVIDER_IDLE_TIMEOUT: fields.durationMs().default(60_000),
    /** Failures in a row after which a route is tried last. 1 reacts to every hiccup. */
    CIRCUIT_FAILURES_MAX: fields.integer(1, 1_000).default(5),
    /** For how long such a route is tried last. */
    CIRCUIT_OPEN: fields.durationMs().default(30_000),

    /** Replicas must share the directory; otherwise an image is found by one replica only. */
    IMAGE_STORAGE_DIR: fields.text().optional(),
    /** Endpoint, bucket, id and secret go together. With wrong ones, storing an image fails. */
    IMAGE_STORAGE_S3_ENDPOINT: fields.url().optional(),
    IMAGE_STORAGE_S3_BUCKET: fields.text().optional(),
    IMAGE_STORAGE_S3_REGION: fields.text().default('us-east-1'),
    IMAGE_STORAGE_S3_ACCESS_KEY_ID: fields.text().optional(),
    IMAGE_STORAGE_S3_SECRET_ACCESS_KEY: fields.secret().optional(),
    /** Images that are not pinned are deleted after this time. */
    IMAGE_TTL: fields.durationMs().default(7 * 86_400_000),
    /** How long the answer to an identical request is kept. Too long: clients get stale answers. */
    RESPONSE_CACHE_TTL: fields.durationMs().default(3_600_000),

    /** How long responses can be read and continued. Too long: their table fills the disk. */
    STORED_RESPONSE_TTL: fields.durationMs().default(30 * 86_400_000),
    /** Stored responses per customer, and of a project itself; the ones used longest ago are deleted. */
    STORED_RESPONSES_MAX: fields.integer(1, 1_000_000).default(10_000),
    /** Bytes of them. Too low: long conversations lose their start. */
    STORED_RESPONSE_BYTES_MAX: fields.integer(1).default(1_073_741_824),

    /** Without a backend, `web_search` is unavailable. */
    WEB_SEARCH_BACKEND: fields.choice('searxng', 'brave', 'tavily').optional(),
    /** Required for searxng. */
    WEB_SEARCH_URL: fields.url().optional(),
    /** Required for brave and tavily. With a wrong key every search fails. */
    WEB_SEARCH_API_KEY: fields.secret().optional(),
    /** 0 makes `web_fetch` unavailable. */
    WEB_FETCH: fields.bool().default(true),

    /** The longest realtime session, as at the vendor. */
    REALTIME_SESSION_MAX: fields.durationMs().default(3_600_000),
    /** How long a client may send nothing while no response is running. Too long: unused sessions stay open. */
    REALTIME_IDLE_TIMEOUT: fields.durationMs().default(900_000),

    /** How long an answer waits for its settlement. Too short: answers leave before they are charged. */
    SETTLE_WAIT: fields.durationMs().default(10_000),
    /** How long a failed settlement is repeated. Shorter than an outage of the ledger: usage is recorded late or as a bound. */
    SETTLE_RETRY_FOR: fields.durationMs().default(300_000),
  },
  toConfig(env, environment) {
    for (const name of providerUrls) {
      const baseUrl = env[name];
      if (baseUrl === undefined || !isRefusedLiteral(baseUrl, env.ALLOW_PRIVATE_ENDPOINTS)) continue;
      throw new ConfigError(`${name}: a private address needs ALLOW_PRIVATE_ENDPOINTS=1`);
    }
    return {
      modelCatalogFile: env.MODEL_CATALOG_FILE,
      promptOverheadTokens: env.PROMPT_OVERHEAD_TOKENS,
      capturesContent: env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
      sandboxProvider: env.SANDBOX_PROVIDER,
      defaultConnections: toDefaultConnections({
        openai: {
          apiKey: env.OPENAI_API_KEY,
          baseUrl: env.OPENAI_BASE_URL,
          hasResponses: env.OPENAI_RESPONSES_API,
          tokenize: env.OPENAI_TOKENIZE,
        },
        anthropic: { apiKey: env.ANTHROPIC_API_KEY, baseUrl: env.ANTHROPIC_BASE_URL },
        google: { apiKey: env.GEMINI_API_KEY, baseUrl: env.GEMINI_BASE_URL },
        xai: { apiKey: env.XAI_API_KEY, baseUrl: env.XAI_BASE_URL },
      }),
      connectionsSource:
        env.CONNECTIONS_FILE === undefined
          ? undefined
          : {
              file: env.CONNECTIONS_FILE,
              readVariable: (name: string) => environment[name],
              allowPrivate: env.ALLOW_PRIVATE_ENDPOINTS,
            },
      allowPrivateEndpoints: env.ALLOW_PRIVATE_ENDPOINTS,
      upstream: {
        connections: env.PROVIDER_CONNECTIONS,
        inFlightMax: env.PROVIDER_IN_FLIGHT_MAX,
        connectTimeoutMs: env.PROVIDER_CONNECT_TIMEOUT,
        responseTimeoutMs: env.PROVIDER_RESPONSE_TIMEOUT,
        idleTimeoutMs: env.PROVIDER_IDLE_TIMEOUT,
      },
      circuit: { failuresMax: env.CIRCUIT_FAILURES_MAX, openMs: env.CIRCUIT_OPEN },
      imageStorage: toImageStorage(env),
      imageTtlMs: env.IMAGE_TTL,
      redisUrl: env.REDIS_URL,
      responseCacheTtlMs: env.RESPONSE_CACHE_TTL,
      storedResponses: {
        ttlMs: env.STORED_RESPONSE_TTL,
        responsesMax: env.STORED_RESPONSES_MAX,
        bytesMax: env.STORED_RESPONSE_BYTES_MAX,
      },
      webSearch: toSearchBackend(env),
      publicBaseUrl: env.PUBLIC_BASE_URL,
      webFetch: env.WEB_FETCH,
      realtime: { sessionMs: env.REALTIME_SESSION_MAX, idleMs: env.REALTIME_IDLE_TIMEOUT },
      settleWaitMs: env.SETTLE_WAIT,
      settleRetryForMs: env.SETTLE_RETRY_FOR,
    };
  },
});

export type Config = ReturnType<typeof configFromEnv>;

/** The vendors' own addresses; every SearXNG server is self-hosted. */
const searchUrls = { searxng: undefined, brave: 'https://api.search.brave.com', tavily: 'https://api.tavily.com' };

interface SearchSettings {
  WEB_SEARCH_BACKEND?: SearchBackendConfig['kind'] | undefined;
  WEB_SEARCH_URL?: string | undefined;
  WEB_SEARCH_API_KEY?: string | undefined;
}

function toSearchBackend(settings: SearchSettings): SearchBackendConfig | undefined {
  const { WEB_SEARCH_BACKEND: kind, WEB_SEARCH_URL, WEB_SEARCH_API_KEY: apiKey } = settings;
  if (kind === undefined) return undefined;
  const url = WEB_SEARCH_URL ?? searchUrls[kind];
  if (url === undefined) throw new ConfigError('WEB_SEARCH_URL: required for searxng');
  if (apiKey === undefined && kind !== 'searxng') throw new ConfigError(`WEB_SEARCH_API_KEY: required for ${kind}`);
  return { kind, url, apiKey };
}

type ImageStorageConfig = { kind: 'directory'; directory: string } | ({ kind: 's3' } & S3Access);

interface ImageSettings {
  IMAGE_STORAGE_DIR?: string | undefined;
  IMAGE_STORAGE_S3_ENDPOINT?: string | undefined;
  IMAGE_STORAGE_S3_BUCKET?: string | undefined;
  IMAGE_STORAGE_S3_REGION: string;
  IMAGE_STORAGE_S3_ACCESS_KEY_ID?: string | undefined;
  IMAGE_STORAGE_S3_SECRET_ACCESS_KEY?: string | undefined;
}

/** Prefers a bucket to a directory. Returns undefined without either: images are then returned as bytes only. */
function toImageStorage(settings: ImageSettings): ImageStorageConfig | undefined {
  const endpoint = settings.IMAGE_STORAGE_S3_ENDPOINT;
  const bucket = settings.IMAGE_STORAGE_S3_BUCKET;
  const accessKeyId = settings.IMAGE_STORAGE_S3_ACCESS_KEY_ID;
  const secretAccessKey = settings.IMAGE_STORAGE_S3_SECRET_ACCESS_KEY;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    return { kind: 's3', endpoint, bucket, region: settings.IMAGE_STORAGE_S3_REGION, accessKeyId, secretAccessKey };
  }
  if (endpoint || bucket || accessKeyId || secretAccessKey) {
    throw new ConfigError('IMAGE_STORAGE_S3_ENDPOINT, _BUCKET, _ACCESS_KEY_ID and _SECRET_ACCESS_KEY go together');
  }
  const directory = settings.IMAGE_STORAGE_DIR;
  return directory === undefined ? undefined : { kind: 'directory', directory };
}
