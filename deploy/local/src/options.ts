import { parseArgs } from 'node:util';
import type { LocalConfig } from './config.js';

export interface Options {
  /** One process per service, over gRPC. */
  isSeparate: boolean;
  /** Deletes the local data first. */
  isReset: boolean;
  httpPort: number;
}

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
