import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { type PaymentProcessor, startPaymentProcessor } from '@tollgate/testkit';

/** The card processor of the local stack: the real one when a key is set, else a simulation with a checkout page. */
export interface LocalPayments {
  /** The settings of billing-ledger that select it. */
  env: Record<string, string>;
  /** The address of the simulation's pages; undefined with the real processor. */
  url: string | undefined;
  stop(): Promise<void>;
}

const PORT = 8420;
const SIMULATION_KEY = 'sk_test_double';

export async function startLocalPayments(options: {
  home: string;
  httpPort: number;
  webhookSecret: string;
  env: NodeJS.ProcessEnv;
}): Promise<LocalPayments> {
  if (options.env.STRIPE_SECRET_KEY) return { env: {}, url: undefined, stop: async () => undefined };
  const { webhookSecret: secret } = options;
  const url = `http://127.0.0.1:${options.httpPort}/api/v1/billing/webhooks/stripe`;
  const simulation: PaymentProcessor = await startPaymentProcessor({
    port: await freePort(PORT),
    file: join(options.home, 'payments.ndjson'),
    webhooks: { url, secret },
  });
  return {
    env: { STRIPE_SECRET_KEY: SIMULATION_KEY, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: simulation.baseUrl },
    url: simulation.baseUrl,
    stop: () => simulation.stop(),
  };
}
