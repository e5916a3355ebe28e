import type { EventsEnvironment } from '@tollgate/events';
import type { TlsFiles } from '@tollgate/rpc';
import { type LogLevel, loadConfig } from '@tollgate/runtime';
import { z } from 'zod';
import { addressFields, type PeerName, toAddresses } from './peers.js';
import { serviceFields, sharedFields } from './service-fields.js';

/** The part of a service's configuration that the chassis uses. */
export interface ServiceConfig {
  logLevel: LogLevel;
  database: { url: string; schema: string; poolMax: number };
  grpc: { host: string; port: number };
  /** Where probes and scrapes are answered; without a port they are not. */
  health: { host: string; port: number | undefined };
  /** Whether traces and metrics are sent over OTLP. */
  sendsTelemetry: boolean;
  tls: TlsFiles;
  /** How long a stop lets calls and work in progress finish. */
  drainMs: number;
  /** The addresses of the services that this one calls, by proto package. */
  peers: Record<string, string>;
  /** Absent in a service that neither publishes nor consumes events. */
  events: EventsEnvironment | undefined;
}

export interface ConfigDefinition<Fields extends z.ZodRawShape, Own extends object> {
  /** The service's name in kebab case. */
  name: string;
  /** The services that it calls. */
  peers?: readonly PeerName[];
  /** Whether the service publishes or consumes events. */
  usesEvents?: boolean;
  /** Its own settings; a field of `serviceFields` may be replaced to change its default. */
  fields: Fields;
  /**
   * Converts the values of its own settings. `environment`: all variables, for files that refer to some by their names.
   *
   * @throws ConfigError when they do not fit together
   */
  toConfig(env: z.output<z.ZodObject<Fields>>, environment: NodeJS.ProcessEnv): Own;
}

/** Reads the environment. @throws ConfigError naming every bad variable, never a value */
export interface ConfigReader<Config> {
  (env: NodeJS.ProcessEnv): Config;
  /** The names of all settings that the service reads. */
  variables: readonly string[];
}

/** Makes the configuration reader of a service from its own settings and those that every service has. */
export function defineConfig<Fields extends z.ZodRawShape, Own extends object>(
  definition: ConfigDefinition<Fields, Own>,
): ConfigReader<ServiceConfig & Own> {
  const { name, peers = [], usesEvents = false, fields, toConfig } = definition;
  const events = usesEvents ? sharedFields.events : {};
  const schema = z.object({ ...serviceFields, ...events, ...addressFields(peers), ...fields });
  const read = (environment: NodeJS.ProcessEnv): ServiceConfig & Own => {
    const values = loadConfig(schema, environment);
    const env = values as z.output<z.ZodObject<typeof serviceFields>>;
    return {
      logLevel: env.LOG_LEVEL,
      database: {
        url: env.DATABASE_URL,
        schema: env.DATABASE_SCHEMA ?? name.replaceAll('-', '_'),
        poolMax: env.DATABASE_POOL_MAX,
      },
      grpc: { host: env.GRPC_HOST, port: env.GRPC_PORT },
      health: { host: env.HEALTH_HOST, port: env.HEALTH_PORT },
      sendsTelemetry: env.OTEL_ENABLED,
      tls: { certFile: env.RPC_TLS_CERT_FILE, keyFile: env.RPC_TLS_KEY_FILE, caFile: env.RPC_TLS_CA_FILE },
      drainMs: env.DRAIN_TIMEOUT,
      peers: toAddresses(peers, values),
      events: usesEvents ? loadConfig(z.object(sharedFields.events), environment) : undefined,
      ...toConfig(values as z.output<z.ZodObject<Fields>>, environment),
    };
  };
  return Object.assign(read, { variables: Object.keys(schema.shape) });
}
