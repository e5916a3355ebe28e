import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../testing/ledger-harness.js';
import {
  findSubscription,
  makeCustomer,
  makeTier,
  type PaymentClient,
  type PaymentsHarness,
  startPaymentsHarness,
  URLS,
} from '../testing/payments-harness.js';
import { type Cut, type CutProxy, startCutProxy } from './cut-proxy.js';

// Like failpoints.db.test.ts, for payments: cuts the connection at every statement of webhook events, purchases and charges.
// The processor and the callers retry, and money must have moved once.

let harness: PaymentsHarness;
let proxy: CutProxy;
/** Reaches the database through the proxy. The only replica that charges automatically. */
let cutReplica: PaymentClient;

const TABLES =
  'transfers|accounts|payment_orders|processor_customers|processor_subscriptions|card_grants|card_verifications';
const MONEY = new RegExp(
  [
    '^(lock_accounts|find_account)$',
    `(INTO|UPDATE|FROM) (${TABLES}|customers|outbox \\()`,
    '(INTO|UPDATE) (subscriptions|auto_topups)',
    'FROM (subscriptions s|auto_topups) WHERE',
  ].join('|'),
);

/** Polling statements of loops, which run at any time. */
const POLLS = /^(SELECT t.account_id FROM auto_topups t|WITH due AS)/;

beforeAll(async () => {
  harness = await startPaymentsHarness('payment_failpoints', { AUTO_TOPUP_INTERVAL: '1h', SIGNUP_CREDIT_CENTS: '500' });
  // Webhook events are delivered by the test only.
  harness.processor.webhooks.hold();
  proxy = await startCutProxy(
    harness.ledger.database.url,
    (statement) => MONEY.test(statement) && !POLLS.test(statement),
  );
  const env = { DATABASE_URL: proxy.url, AUTO_TOPUP_INTERVAL: '20ms', PAYMENT_CHECK_INTERVAL: '1h' };
  cutReplica = (await harness.replica(env)).payments;
});
afterAll(async () => {
  await harness.stop();
  await proxy.stop();
});

const CENT = 1_000_000n;

interface Scene {
  owner: Principal;
  /** Runs the operation as its caller does; a failed run is retried. */
  run(at: PaymentClient): Promise<unknown>;
  /** Checks the final state. */
  check(): Promise<void>;
}

const cents = async (owner: Principal) =>
  (await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents / CENT;
const walletCents = async (owner: Principal, customerId: string) =>
  (await harness.billing.getCustomerBalance({ customerId }, callAs(owner))).balanceMicrocents / CENT;

/** Returns the processor's latest webhook event of a type. */
function latest(type: string) {
  const event = harness.processor.webhooks.waiting().findLast((waiting) => waiting.type === type);
  if (!event) throw new Error(`no webhook event ${type}`);
  return event;
}

async function paidTopUp(): Promise<{ owner: Principal; id: string; payment: string }> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  const id = await makeCustomer(harness, owner, 'paygo');
  const req = { customerId: id, creditAmountCents: 1_500n, ...URLS };
  const { topUp } = await harness.payments.createWalletTopUp(req, callAs(owner));
  return { owner, id, payment: harness.processor.pay(topUp?.sessionId ?? '').payment_intent ?? '' };
}

/** Creates a customer on a free tier, with a card on file from an ended subscription. */
async function customerWithCard(): Promise<{ owner: Principal; id: string; payer: string }> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
  await makeTier(harness, owner, { tierCode: 'max', priceCents: 9_000 });
  const id = await makeCustomer(harness, owner, 'free');
  const bought = await harness.payments.createCheckout(
    { customerId: id, tier: { case: 'tierCode', value: 'pro' }, ...URLS },
    callAs(owner),
  );
  const session = harness.processor.pay(bought.sessionId);
  harness.processor.setSubscriptionStatus(session.subscription ?? '', 'canceled');
  await harness.notify(latest('checkout.session.completed'));
  return { owner, id, payer: session.customer ?? '' };
}

const SCENES: Record<string, () => Promise<Scene>> = {
  'the webhook event of a wallet payment': async () => {
    const { owner, id } = await paidTopUp();
    const event = latest('checkout.session.completed');
    return {
      owner,
      run: (at) => harness.notify(event, at),
      check: async () => expect(await walletCents(owner, id)).toBe(1_500n),
    };
  },
  'the webhook event of a refund, with an unreported dispute': async () => {
    const { owner, id, payment } = await paidTopUp();
    await harness.notify(latest('payment_intent.succeeded'));
    await harness.stripe.refunds.create({ payment_intent: payment, amount: 400 });
    harness.processor.openDispute(payment, { amount: 1_400 });
    const event = latest('charge.refunded');
    return {
      owner,
      run: (at) => harness.notify(event, at),
      check: async () => expect(await walletCents(owner, id)).toBe(-300n),
    };
  },
  'the webhook event of an owner’s payment': async () => {
    const owner = ownerPrincipal();
    const { topUp } = await harness.payments.createAccountTopUp({ amountCents: 1_000n, ...URLS }, callAs(owner));
    harness.processor.pay(topUp?.sessionId ?? '');
    const event = latest('checkout.session.completed');
    return {
      owner,
      run: (at) => harness.notify(event, at),
      check: async () => expect(await cents(owner)).toBe(1_000n),
    };
  },
  'the webhook event of a tier bought by a new customer': async () => {
    const owner = ownerPrincipal();
    await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
    const tier = { case: 'tierCode' as const, value: 'pro' };
    harness.processor.pay((await harness.payments.createCheckout({ tier, ...URLS }, callAs(owner))).sessionId);
    const event = latest('checkout.session.completed');
    return {
      owner,
      run: (at) => harness.notify(event, at),
      check: async () => {
        const { customers } = await harness.billing.listCustomers({ limit: 10 }, callAs(owner));
        expect(customers).toMatchObject([{ subscription: { tierCode: 'pro', subscriptionStatus: 'active' } }]);
        expect(await harness.ledger.events(eventTypes.customerCreated, owner.projectId)).toHaveLength(1);
        expect(await harness.ledger.events(eventTypes.subscriptionChanged, owner.projectId)).toHaveLength(1);
      },
    };
  },
  'a card verification with its signup credit': async () => {
    const owner = ownerPrincipal();
    const { checkoutSessionId } = await harness.payments.startCardVerification(URLS, callAs(owner));
    harness.processor.pay(checkoutSessionId, { card: 'pm_card_new' });
    return {
      owner,
      run: (at) => at.confirmCardVerification({ checkoutSessionId }, callAs(owner)),
      check: async () => expect(await cents(owner)).toBe(500n),
    };
  },
  'a tier change with a purchase': async () => {
    const { owner, id, payer } = await customerWithCard();
    const isDone = async () => (await findSubscription(harness, owner, id))?.tierCode === 'max';
    return {
      owner,
      run: async (at) => {
        // Refused while the outcome of an earlier purchase is unknown, which takes minutes to resolve.
        if (at === cutReplica) return at.changeTier({ customerId: id, tierCode: 'max' }, callAs(owner));
        return retryUntil(isDone, () => at.changeTier({ customerId: id, tierCode: 'max' }, callAs(owner)));
      },
      check: async () => {
        const { data } = await harness.stripe.subscriptions.list({ customer: payer, status: 'all' });
        expect(data.map(({ status }) => status).sort()).toEqual(['active', 'canceled']);
      },
    };
  },
  'an automatic top-up': async () => {
    const owner = ownerPrincipal();
    const { setupIntentId } = await harness.payments.startCardSetup({}, callAs(owner));
    const { customer } = await harness.stripe.setupIntents.confirm(setupIntentId, { payment_method: 'pm_card_visa' });
    await harness.payments.confirmCardSetup({ setupIntentId }, callAs(owner));
    const settings = { enabled: true, thresholdCents: 1_000n, amountCents: 2_000n };
    const isDone = async () => (await cents(owner)) > 0n;
    return {
      owner,
      run: async (at) => {
        await at.setAutoTopUp(settings, callAs(owner));
        if (at === cutReplica) await waitUntil(async () => proxy.isCut || (await isDone()), { what: 'the charge' });
        else await retryUntil(isDone, async () => undefined);
      },
      check: async () => {
        expect(await cents(owner)).toBe(2_000n);
        const charges = harness.processor.store.all('payment_intent').filter((intent) => intent.customer === customer);
        expect(charges.map((charge) => charge.amount_received)).toEqual([2_000]);
      },
    };
  },
};

/** Retries, and advances the clock in between, so that open orders are resolved. */
async function retryUntil(isDone: () => Promise<boolean>, ask: () => Promise<unknown>): Promise<void> {
  const attempt = async (): Promise<boolean> => {
    await ask().catch(() => undefined);
    if (await isDone()) return true;
    harness.clock.advance({ minutes: 3 });
    return false;
  };
  await waitUntil(attempt, { what: 'the operation to be done' });
}

async function play(scene: Scene, cut: Cut | undefined): Promise<string[]> {
  proxy.arm(cut);
  await scene.run(cutReplica).catch(() => undefined);
  const { seen, isCut } = proxy;
  proxy.arm();
  expect(isCut).toBe(cut !== undefined);
  await scene.run(harness.payments);
  await scene.check();
  expect((await harness.billing.verifyLedger({}, callAs(scene.owner))).differences).toEqual([]);
  return seen;
}

describe.each(Object.entries(SCENES))('%s', (_, prepare) => {
  it('has its effect once when the connection breaks at any statement and it is repeated', async () => {
    await play(await prepare(), undefined); // the first play has statements that no later one has
    const statements = await play(await prepare(), undefined);
    expect(statements.length).toBeGreaterThan(0);
    for (let at = 1; at <= statements.length; at++) {
      for (const when of ['before', 'after'] as const) {
        await play(await prepare(), { at, when }).catch((error: Error) => {
          throw new Error(`cut ${when} statement ${at}, ${statements[at - 1]?.slice(0, 80)}: ${error.message}`);
        });
      }
    }
  }, 600_000);
});
