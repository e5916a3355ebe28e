import { parseArgs } from 'node:util';
import type { LocalConfig } from './config.js';

export interface Options {
  /** One process per service, over gRPC. */
  isSeparate: boolean;
  /** Deletes the local data first. */
  isReset: boolean;
  httpPort: number;
}

export const HELP = `npm start [-- options]

  --separate     one process per service, over gRPC (default: all in one process)
  --port <n>     preferred HTTP port (default HTTP_PORT, else 8080); when it is busy, another free one
  --reset        delete the local data first
  --help         this text

Environment: DATABASE_URL, KAFKA_BROKERS, REDIS_URL, STRIPE_SECRET_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY and the other
variables of the README each replace a part of the local stack.`;

/** Returns undefined for `--help`. */
export function parseOptions(args: string[], config: Pick<LocalConfig, 'httpPort'>): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      separate: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      port: { type: 'string', default: config.httpPort },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const httpPort = Number(values.port);
  if (!Number.isInteger(httpPort) || httpPort < 0 || httpPort > 65_535)
    throw new Error(`--port: expected a port number from 0 to 65535, not ${values.port}`);
  return { isSeparate: values.separate, isReset: values.reset, httpPort };
}
