import { join } from 'node:path';
import { freePort } from '@tollgate/runtime/free-port';
import { type PaymentProcessor, startPaymentProcessor } from '@tollgate/testkit';
import Stripe from 'stripe';

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
const PRO_LOOKUP_KEY = 'tollgate_local_pro';

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

/**
 * Returns the price of the demo project's paid tier; creates it at the processor on the first start. Returns undefined
 * without a processor, and with a live key: real accounts get no demo data.
 */
export async function ensureDemoPrice(
  env: NodeJS.ProcessEnv,
  terms: { amountCents: number; currency: string; interval: 'month' | 'year' },
): Promise<string | undefined> {
  const { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: base } = env;
  if (!key || /^[sr]k_live/.test(key)) return undefined;
  const at = base ? new URL(base) : undefined;
  const stripe = new Stripe(key, {
    telemetry: false,
    ...(at && { host: at.hostname, port: at.port, protocol: at.protocol === 'http:' ? 'http' : 'https' }),
  });
  const known = await stripe.prices.list({ lookup_keys: [PRO_LOOKUP_KEY], limit: 1 });
  if (known.data[0]) return known.data[0].id;
  const created = await stripe.prices.create({
    currency: terms.currency,
    unit_amount: terms.amountCents,
    recurring: { interval: terms.interval },
    product_data: { name: 'Tollgate demo: Pro' },
    lookup_key: PRO_LOOKUP_KEY,
  });
  return created.id;
}
