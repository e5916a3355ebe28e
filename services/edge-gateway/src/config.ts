import { ConfigError, fields } from '@tollgate/runtime';
import { defineConfig, sharedFields } from '@tollgate/service';

const MIB = 1024 * 1024;
/** One account may hold half of the budget, which must fit the largest allowed body. */
const BODY_BYTES_IN_FLIGHT_LEAST = 64 * MIB;

/** The pepper with DEV_MODE=1. Without DEV_MODE, KEY_PEPPER is required. */
const LOCAL_PEPPER = 'local-pepper-that-protects-nothing-of-value';

const GOOGLE_ISSUER = 'https://accounts.google.com';

/** The only reader of the environment in this service. @throws ConfigError naming every bad variable */
export const configFromEnv = defineConfig({
  name: 'edge-gateway',
  usesEvents: true,
  peers: ['agent-registry', 'billing-ledger', 'gateway-inference', 'hooks-webhooks', 'messaging', 'workflow-engine'],
  fields: {
    REDIS_URL: sharedFields.REDIS_URL,
    MODEL_CATALOG_FILE: sharedFields.MODEL_CATALOG_FILE,
    PROMPT_OVERHEAD_TOKENS: sharedFields.PROMPT_OVERHEAD_TOKENS,
    PUBLIC_BASE_URL: sharedFields.PUBLIC_BASE_URL,

    /** An address that the load balancer cannot reach receives no requests. */
    HTTP_HOST: fields.text().default('0.0.0.0'),
    /** A port in use stops the start. */
    HTTP_PORT: fields.port().default(8080),
    /**
     * Too short, 5 s or less: a rolling restart resets connections that clients keep as long as answers allow them to. Too long:
     * stops take longer.
     */
    HTTP_IDLE_GRACE: fields.durationMs().default(6_000),
    /** Proxies in front. Too few: rate limits apply to the proxy. Too many: clients choose their own address. */
    TRUST_PROXY_HOPS: fields.integer(0, 10).default(0),
    /** Too high for the memory limit: large bodies end the process. Too low: large bodies get 503 under load. */
    HTTP_BODY_BYTES_IN_FLIGHT_MAX: fields.integer(BODY_BYTES_IN_FLIGHT_LEAST).default(128 * MIB),

    /** Set in production, it lets anyone sign in as the development owner. */
    DEV_MODE: fields.bool().default(false),
    /** The owner that `POST /auth/dev-login` signs in. */
    DEV_OWNER_EMAIL: fields.text().default('owner@tollgate.local'),
    /** Starts every new key. After a change, keys with the old prefix are rejected. */
    KEY_PREFIX: fields.text().default('tg_'),
    /** Required unless DEV_MODE=1. After a change, keys are rejected unless KEY_PEPPER_PREVIOUS is their pepper. */
    KEY_PEPPER: fields.secret(32).optional(),
    /** The previous pepper during a rotation. Removed too early: keys that were not used since then are rejected. */
    KEY_PEPPER_PREVIOUS: fields.secret(32).optional(),
    /** Required unless DEV_MODE=1. Tokens signed by a key that is missing here are rejected. */
    JWT_PRIVATE_KEYS: fields.secret().optional(),
    /** Tokens of another issuer are rejected: a change signs everyone out. */
    JWT_ISSUER: fields.text().default('tollgate'),
    /** Tokens for another audience are rejected: a change signs everyone out. */
    JWT_AUDIENCE: fields.text().default('tollgate'),
    /** Too short: clients refresh often. Too long: a stolen token stays valid unless it is revoked. */
    ACCESS_TOKEN_TTL: fields.durationMs().default(3_600_000),
    /** Too short: owners sign in often. Too long: a stolen session stays valid unless it is revoked. */
    REFRESH_TOKEN_TTL: fields.durationMs().default(30 * 86_400_000),

    /** Id and secret go together; with wrong ones, sign-in with GitHub fails. */
    OAUTH_GITHUB_CLIENT_ID: fields.text().optional(),
    OAUTH_GITHUB_CLIENT_SECRET: fields.secret().optional(),
    /** URLs of a GitHub Enterprise server, which replaces github.com. */
    OAUTH_GITHUB_URL: fields.url().default('https://github.com'),
    OAUTH_GITHUB_API_URL: fields.url().default('https://api.github.com'),
    /** Id and secret go together; with wrong ones, sign-in with Google fails. */
    OAUTH_GOOGLE_CLIENT_ID: fields.text().optional(),
    OAUTH_GOOGLE_CLIENT_SECRET: fields.secret().optional(),
    /** The issuer of another OpenID provider, which replaces Google. */
    OAUTH_GOOGLE_ISSUER: fields.url().default(GOOGLE_ISSUER),
    /** What sign-in pages call the provider. Absent: Google, or the host of another issuer. */
    OAUTH_GOOGLE_NAME: fields.text().optional(),
    /** Sign-ins that return to another origin are rejected. Every origin listed here can receive users' tokens. */
    OAUTH_RETURN_ORIGINS: fields.csv().default([]),
    /**
     * `smtp://user:password@host:587` or `smtps://…`; with `MAIL_FROM`. Absent: no mails are sent, and with DEV_MODE=1 a page shows
     * them. With a wrong one, invitations and password resets wait and are then given up.
     */
    MAIL_URL: fields.secret().optional(),
    /** Sender of mails, such as `Tollgate <noreply@example.com>`. Mail servers reject senders of other domains. */
    MAIL_FROM: fields.text().optional(),
    /** Older audit events are deleted. */
    AUDIT_KEEP_DAYS: fields.integer(1, 3_650).default(400),
    /** Too short: owners' reports lack earlier requests. Too long: the table of requests fills the disk. */
    REQUEST_KEEP_DAYS: fields.integer(1, 400).default(30),
    /**
     * Whether projects without a setting of their own store the answers of /v1/responses. Off: clients that rely on the
     * vendor's default cannot continue a response.
     */
    RESPONSE_STORAGE: fields.bool().default(false),
    /** Too short: live views reconnect often. Too long: forgotten views keep asking the database. */
    LIVE_VIEW_DURATION: fields.durationMs().default(600_000),

    /** Sockets of the Realtime API in this process. Too high for the memory limit: large events end the process. */
    REALTIME_SOCKETS_MAX: fields.integer(0, 100_000).default(1_000),
    /** Too low: a project's callers are refused. Too high: one project can use all places. */
    REALTIME_SOCKETS_PER_PROJECT_MAX: fields.integer(1, 100_000).default(200),
    REALTIME_SOCKETS_PER_CUSTOMER_MAX: fields.integer(1, 100_000).default(10),
    /** Of one event. Too low: images and long recordings are refused. */
    REALTIME_MESSAGE_BYTES_MAX: fields.integer(65_536, 32 * MIB).default(4 * MIB),

    /** Requests per minute and caller. Too low: 429 for honest clients. Too high: one client can slow down all. */
    RATE_LIMIT_SECRET_KEY_PER_MINUTE: fields.integer(1).default(1000),
    RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE: fields.integer(1).default(100),
    RATE_LIMIT_CUSTOMER_PER_MINUTE: fields.integer(1).default(300),
    RATE_LIMIT_OWNER_PER_MINUTE: fields.integer(1).default(1000),
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: fields.integer(1).default(2000),
    /** Sign-in attempts per minute. Too high: passwords can be guessed. Too low: owners are locked out. */
    SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE: fields.integer(1).default(10),
    SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE: fields.integer(1).default(30),
  },
  toConfig(env) {
    if (!env.DEV_MODE && (!env.KEY_PEPPER || !env.JWT_PRIVATE_KEYS)) {
      throw new ConfigError('KEY_PEPPER and JWT_PRIVATE_KEYS must be set unless DEV_MODE=1');
    }
    if (env.KEY_PEPPER_PREVIOUS !== undefined && env.KEY_PEPPER_PREVIOUS === env.KEY_PEPPER) {
      throw new ConfigError('KEY_PEPPER_PREVIOUS: is the same as KEY_PEPPER');
    }
    if (!/^[a-z][a-z0-9]*_$/.test(env.KEY_PREFIX)) {
      throw new ConfigError('KEY_PREFIX: expected lower-case letters and digits, then an underscore');
    }
    return {
      redisUrl: env.REDIS_URL,
      modelCatalogFile: env.MODEL_CATALOG_FILE,
      promptOverheadTokens: env.PROMPT_OVERHEAD_TOKENS,
      publicBaseUrl: env.PUBLIC_BASE_URL,
      http: {
        host: env.HTTP_HOST,
        port: env.HTTP_PORT,
        idleGraceMs: env.HTTP_IDLE_GRACE,
        trustProxyHops: env.TRUST_PROXY_HOPS,
        bodyBytesInFlightMax: env.HTTP_BODY_BYTES_IN_FLIGHT_MAX,
      },
      realtime: {
        socketsMax: env.REALTIME_SOCKETS_MAX,
        perProjectMax: env.REALTIME_SOCKETS_PER_PROJECT_MAX,
        perCustomerMax: env.REALTIME_SOCKETS_PER_CUSTOMER_MAX,
        messageBytesMax: env.REALTIME_MESSAGE_BYTES_MAX,
      },
      devMode: env.DEV_MODE,
      devOwnerEmail: env.DEV_OWNER_EMAIL,
      keyPrefix: env.KEY_PREFIX,
      peppers: { current: env.KEY_PEPPER ?? LOCAL_PEPPER, previous: env.KEY_PEPPER_PREVIOUS },
      tokens: {
        privateKeys: env.JWT_PRIVATE_KEYS,
        issuer: env.JWT_ISSUER,
        audience: env.JWT_AUDIENCE,
        accessTtlMs: env.ACCESS_TOKEN_TTL,
        refreshTtlMs: env.REFRESH_TOKEN_TTL,
      },
      oauth: {
        github: toOAuthClient(env.OAUTH_GITHUB_CLIENT_ID, env.OAUTH_GITHUB_CLIENT_SECRET, {
          url: env.OAUTH_GITHUB_URL,
          apiUrl: env.OAUTH_GITHUB_API_URL,
        }),
        google: toOAuthClient(env.OAUTH_GOOGLE_CLIENT_ID, env.OAUTH_GOOGLE_CLIENT_SECRET, {
          issuer: env.OAUTH_GOOGLE_ISSUER,
          name: env.OAUTH_GOOGLE_NAME ?? toProviderName(env.OAUTH_GOOGLE_ISSUER),
        }),
        returnOrigins: env.OAUTH_RETURN_ORIGINS,
      },
      mail: toMail(env.MAIL_URL, env.MAIL_FROM, env.DEV_MODE),
      auditKeepDays: env.AUDIT_KEEP_DAYS,
      responseStorage: env.RESPONSE_STORAGE,
      requestKeepDays: env.REQUEST_KEEP_DAYS,
      liveViewMs: env.LIVE_VIEW_DURATION,
      limitsPerMinute: {
        secretKey: env.RATE_LIMIT_SECRET_KEY_PER_MINUTE,
        publishableKey: env.RATE_LIMIT_PUBLISHABLE_KEY_PER_MINUTE,
        customer: env.RATE_LIMIT_CUSTOMER_PER_MINUTE,
        owner: env.RATE_LIMIT_OWNER_PER_MINUTE,
        anonymous: env.RATE_LIMIT_ANONYMOUS_PER_MINUTE,
        signInPerEmail: env.SIGN_IN_LIMIT_PER_EMAIL_PER_MINUTE,
        signInPerAddress: env.SIGN_IN_LIMIT_PER_ADDRESS_PER_MINUTE,
      },
    };
  },
});

export type EdgeConfig = ReturnType<typeof configFromEnv>;

export type MailSettings = { kind: 'smtp'; url: string; from: string } | { kind: 'local' };

/** Returns undefined when mails are not sent. @throws ConfigError when a setting is wrong or only one is set */
function toMail(url: string | undefined, from: string | undefined, devMode: boolean): MailSettings | undefined {
  if (url === undefined && from === undefined) return devMode ? { kind: 'local' } : undefined;
  if (url === undefined || from === undefined) throw new ConfigError('MAIL_URL and MAIL_FROM go together');
  if (!/^smtps?:\/\/[^/\s]+\/?$/.test(url)) throw new ConfigError('MAIL_URL: expected smtp://… or smtps://…');
  if (!/^[^<>\r\n]*<?[^\s<>@]+@[^\s<>@]+>?$/.test(from)) throw new ConfigError('MAIL_FROM: expected an email address');
  return { kind: 'smtp', url, from };
}

function toProviderName(issuer: string): string {
  const { host, origin } = new URL(issuer);
  return origin === GOOGLE_ISSUER ? 'Google' : host;
}

/** Returns undefined without id and secret. @throws ConfigError when only one of them is set */
function toOAuthClient<T extends object>(clientId: string | undefined, clientSecret: string | undefined, places: T) {
  if (clientId === undefined && clientSecret === undefined) return undefined;
  if (clientId === undefined || clientSecret === undefined) {
    throw new ConfigError('OAUTH_…_CLIENT_ID and OAUTH_…_CLIENT_SECRET go together');
  }
  return { clientId, clientSecret, ...places };
}
