/** Packages with native code: a bundle loads them from node_modules. */
export const NATIVE = ['@node-rs/argon2'];

/** Packages that only worker threads load, from node_modules beside the bundle. */
export const IN_WORKERS = ['@guanmingchiu/sqlparser-ts', 'gpt-tokenizer', 'html-to-text'];

/** Packages whose files the edge sends to browsers, from node_modules. */
export const SERVED = ['@tollgate/console', 'swagger-ui-dist'];

/** Optional parts of bundled packages that are not installed. */
export const ABSENT = ['pg-native'];

/** Large packages that a service loads only when a setting or a request asks for them. */
export const ON_DEMAND = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@smithy/eventstream-codec',
  'redis',
  'ajv',
  'kafkajs',
  'nodemailer',
  'stripe',
];

/** Loaded only by functions of bundled packages that Tollgate does not call: the channelz and ORCA services of gRPC. */
export const UNUSED = ['@grpc/proto-loader'];
