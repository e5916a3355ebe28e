import Stripe from 'stripe';
import type { Processor } from './processor.js';

export interface ProcessorOptions {
  secretKey: string;
  webhookSecret: string;
  webhookToleranceMs: number;
  /** Overrides the processor's address, for example with the simulated processor of the local stack. */
  apiBase: string | undefined;
}

/** Call and retry together fit into the time that the edge gives a request. */
const TIMEOUT_MS = 10_000;
const RETRIES_MAX = 1;

export function createProcessor(options: ProcessorOptions): Processor {
  const base = options.apiBase === undefined ? undefined : new URL(options.apiBase);
  return {
    stripe: new Stripe(options.secretKey, {
      maxNetworkRetries: RETRIES_MAX,
      timeout: TIMEOUT_MS,
      telemetry: false,
      appInfo: { name: 'tollgate' },
      ...(base && {
        host: base.hostname,
        port: base.port || (base.protocol === 'http:' ? 80 : 443),
        protocol: base.protocol === 'http:' ? ('http' as const) : ('https' as const),
      }),
    }),
    webhookSecret: options.webhookSecret,
    webhookToleranceSeconds: Math.ceil(options.webhookToleranceMs / 1_000),
  };
}
