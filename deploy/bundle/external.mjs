/** Packages with native code: a bundle loads them from node_modules. */
export const NATIVE = ['@node-rs/argon2'];

/** Packages that worker threads load from node_modules, beside the bundle. */
export const IN_WORKERS = ['@guanmingchiu/sqlparser-ts', 'html-to-text'];

/** Packages that are files for browsers, which the edge serves from node_modules. */
export const SERVED = ['@tollgate/console'];

/** Optional parts of bundled packages that are not installed. */
export const ABSENT = ['pg-native'];

/** Large packages that a service loads only when a setting or a request asks for them. */
export const ON_DEMAND = [
  '@opentelemetry/exporter-metrics-otlp-proto',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@redis/client',
  'ajv',
  'gpt-tokenizer',
  'html-to-text',
  'kafkajs',
  'stripe',
];

/** Loaded only by functions of bundled packages that Tollgate does not call: the channelz and ORCA services of gRPC. */
export const UNUSED = ['@grpc/proto-loader'];
