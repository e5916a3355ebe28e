import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BillingService, type Subscription } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { PaymentService } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { asAppError } from '@tollgate/errors';
import { type Client, type LocalNetwork, startCall } from '@tollgate/rpc';
import {
  type ControllableClock,
  controllableClock,
  type PaymentProcessor,
  startPaymentProcessor,
  type WireEvent,
} from '@tollgate/testkit';
import Stripe from 'stripe';
import {
  type BillingClient,
  callAs,
  ECHO,
  type LedgerHarness,
  ownerPrincipal,
  startLedgerHarness,
} from './ledger-harness.js';

export type PaymentClient = Client<typeof PaymentService>;

/** A billing service with a simulated card processor, whose webhook events reach it as they would through the edge. */
export interface PaymentsHarness {
  ledger: LedgerHarness;
  billing: BillingClient;
  payments: PaymentClient;
  processor: PaymentProcessor;
  /** The processor's client library, for actions of a user of its dashboard. */
  stripe: Stripe;
  /** The clock of the ledger and of the processor. */
  clock: ControllableClock;
  /** Advances both clocks and waits until the resulting webhook events are delivered. */
  pass(by: Parameters<ControllableClock['advance']>[0]): Promise<void>;
  /** Delivers a webhook event, as often and as late as a test needs. */
  notify(event: WireEvent, to?: PaymentClient): Promise<void>;
  /** Waits until every webhook event is delivered. */
  settled(): Promise<void>;
  /** Starts another replica. */
  replica(env?: NodeJS.ProcessEnv): Promise<{ billing: BillingClient; payments: PaymentClient }>;
  stop(): Promise<void>;
}

const WEBHOOK_SECRET = 'whsec_test';
export const URLS = { successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/no' };

export async function startPaymentsHarness(name: string, env: NodeJS.ProcessEnv = {}): Promise<PaymentsHarness> {
  const clock = controllableClock();
  const processor = await startPaymentProcessor({ clock, tickMs: 0, recordsRequests: true });
  const { hostname, port } = new URL(processor.baseUrl);
  const stripe = new Stripe('sk_test_harness', { host: hostname, port, protocol: 'http', telemetry: false });
  const environment = {
    STRIPE_SECRET_KEY: 'sk_test_harness',
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_BASE: processor.baseUrl,
    AUTO_TOPUP_INTERVAL: '50ms',
    PAYMENT_CHECK_INTERVAL: '50ms',
    ...env,
  };
  const ledger = await startLedgerHarness(name, { clock, env: environment });
  const toClients = (network: LocalNetwork) => ({
    billing: network.client(BillingService),
    payments: network.client(PaymentService),
  });
  const { billing, payments } = toClients(await ledger.replicaNetwork());
  const intake = await startIntake(payments);
  const { port: intakePort } = intake.address() as AddressInfo;
  processor.webhooks.sendTo({ url: `http://127.0.0.1:${intakePort}/`, secret: WEBHOOK_SECRET });
  const settled = () => processor.webhooks.idle();
  return {
    ledger,
    billing,
    payments,
    processor,
    stripe,
    clock,
    settled,
    pass: async (by) => {
      clock.advance(by);
      processor.passTime();
      await settled();
    },
    notify: async (event, to = payments) => {
      const payload = JSON.stringify(event);
      const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
      await to.receiveNotice({ payload: Buffer.from(payload), signature }, startCall({ timeoutMs: 30_000 }));
    },
    replica: async (values) => toClients(await ledger.replicaNetwork(values)),
    stop: async () => {
      await processor.stop();
      intake.close();
      intake.closeAllConnections();
      await ledger.stop();
    },
  };
}

async function startIntake(payments: PaymentClient): Promise<Server> {
  const server = createServer((req, res) => void receive(payments, req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function receive(payments: PaymentClient, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  const signature = String(req.headers['stripe-signature']);
  try {
    await payments.receiveNotice({ payload: Buffer.concat(chunks), signature }, startCall({ timeoutMs: 30_000 }));
    res.writeHead(200).end();
  } catch (error) {
    res.writeHead(asAppError(error).status).end();
  }
}

export interface TierInput {
  tierCode: string;
  billingMode?: string;
  /** Makes the tier paid, with a price of the processor that it names. */
  priceCents?: number;
  /** The tier names no price, and the processor refuses to make one. */
  isUnpriced?: boolean;
  billingProvider?: string;
  interval?: 'month' | 'year';
  currency?: string;
  trialDays?: number;
  isDefault?: boolean;
  spendLimitCents?: bigint;
  overageEnabled?: boolean;
  promoCreditsCents?: bigint;
}

/** Creates a tier and its price at the processor. */
export async function makeTier(harness: PaymentsHarness, owner: Principal, input: TierInput): Promise<string> {
  const { priceCents, isUnpriced, interval = 'month', currency = 'usd', billingProvider = 'stripe', ...tier } = input;
  const isPriced = priceCents !== undefined && !isUnpriced;
  const price = isPriced ? await makePrice(harness, { unit_amount: priceCents, currency, interval }) : undefined;
  if (isUnpriced && billingProvider === 'stripe')
    harness.processor.faults.refuse(/POST \/v1\/prices$/, 'Amount too small');
  const model = { modelId: ECHO, isDefault: true, inputPricePerMillionCents: 100n, outputPricePerMillionCents: 300n };
  const created = await harness.billing.createTier(
    {
      displayName: tier.tierCode,
      models: [model],
      ...tier,
      ...(priceCents !== undefined && {
        priceAmountCents: BigInt(priceCents),
        priceCurrency: currency,
        priceInterval: interval,
        billingProvider,
      }),
      ...(price !== undefined && { billingPriceRef: price }),
    },
    callAs(owner),
  );
  return created.tier?.id ?? '';
}

async function makePrice(
  { stripe }: PaymentsHarness,
  { interval, ...amount }: { unit_amount: number; currency: string; interval: 'month' | 'year' },
): Promise<string> {
  const price = await stripe.prices.create({
    ...amount,
    recurring: { interval },
    product_data: { name: 'a tier' },
  });
  return price.id;
}

/** Creates a customer, subscribed to a free or PAYGO tier if one is named. */
export async function makeCustomer(harness: PaymentsHarness, owner: Principal, tierCode?: string): Promise<string> {
  const externalId = randomUUID();
  const created = await harness.billing.createCustomer({ externalId, email: 'someone@example.com' }, callAs(owner));
  const id = created.envelope?.customer?.id ?? '';
  if (tierCode)
    await harness.billing.prepareCustomerToken({ by: { case: 'customerId', value: id }, tierCode }, callAs(owner));
  return id;
}

/** Buys a tier at checkout, including webhook events. Returns the id of the processor's subscription. */
export async function buy(
  harness: PaymentsHarness,
  owner: Principal,
  customerId: string,
  tierCode: string,
  card = 'pm_card_visa',
): Promise<string> {
  const tier = { case: 'tierCode' as const, value: tierCode };
  const { sessionId } = await harness.payments.createCheckout({ customerId, tier, ...URLS }, callAs(owner));
  const session = harness.processor.pay(sessionId, { card });
  await harness.settled();
  return session.subscription ?? '';
}

export async function findSubscription(
  harness: PaymentsHarness,
  owner: Principal,
  customerId: string,
): Promise<Subscription | undefined> {
  const { envelope } = await harness.billing.getCustomer({ by: { case: 'id', value: customerId } }, callAs(owner));
  return envelope?.subscription;
}

/** Creates a project with one tier of each kind. */
export async function makeProject(harness: PaymentsHarness): Promise<Principal> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true, spendLimitCents: 100n });
  await makeTier(harness, owner, { tierCode: 'other', spendLimitCents: 200n });
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000, spendLimitCents: 1_000n });
  await makeTier(harness, owner, { tierCode: 'twin', priceCents: 2_000 });
  await makeTier(harness, owner, { tierCode: 'max', priceCents: 9_000 });
  await makeTier(harness, owner, { tierCode: 'trial', priceCents: 3_000, trialDays: 14 });
  await makeTier(harness, owner, { tierCode: 'unpriced', priceCents: 5_000, isUnpriced: true });
  return owner;
}
