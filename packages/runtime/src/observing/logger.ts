import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { systemClock } from '../time/clock.js';

/** Structured logger; `logger.child({ request_id })` binds a request. */
export type Logger = PinoLogger;
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Names of credential fields; their values are masked at the top level and one and two levels below. */
const secretFields = [
  'authorization',
  'Authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'customer_token',
  'accessToken',
  'refreshToken',
  'customerToken',
  'api_key',
  'apiKey',
  'secret_key',
  'secretKey',
  'signing_secret',
  'signingSecret',
  'x-service-api-key',
  'X-Service-Api-Key',
  'x-api-key',
  'x-goog-api-key',
];

/**
 * Writes one JSON line per entry to standard output, with `service`, `level` as a word and an ISO time. Pass errors as
 * `err`. Masks known credential fields; still, never log a request body or headers as a whole.
 */
export function createLogger(service: string, level: LogLevel = 'info', destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: () => `,"time":"${systemClock.now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths(), censor: '[redacted]' },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

/** Discards everything; for tests and tools. */
export const silentLogger: Logger = pino({ level: 'silent' });

function redactedPaths(): string[] {
  const names = secretFields.map((name) => (/^[a-z_]+$/i.test(name) ? name : `["${name}"]`));
  return names.flatMap((name) => {
    const below = name.startsWith('[') ? name : `.${name}`;
    return [name, `*${below}`, `*.*${below}`];
  });
}
