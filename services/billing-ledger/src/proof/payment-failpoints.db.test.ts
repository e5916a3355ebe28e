import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../testing/ledger-harness.js';
import {
  makeCustomer,
  makeTier,
  type PaymentClient,
  type PaymentsHarness,
  startPaymentsHarness,
  subscriptionOf,
  URLS,
} from '../testing/payments-harness.js';
import { type Cut, type CutProxy, startCutProxy } from './cut-proxy.js';

// What failpoints.db.test.ts is for requests, this is for payments: the connection breaks at every statement that a notice,
// a purchase or a charge leads to. The processor tells again, people ask again, and money has moved once.

let harness: PaymentsHarness;
let proxy: CutProxy;
/** Reaches the database through the proxy; the only one that charges automatically. */
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

/** With these, loops look whether there is something to do, at any time. */
const LOOKS = /^(SELECT t.account_id FROM auto_topups t|WITH due AS)/;

beforeAll(async () => {
  harness = await startPaymentsHarness('payment_failpoints', { AUTO_TOPUP_INTERVAL: '1h', SIGNUP_CREDIT_CENTS: '500' });
  // Only the test hands notices in.
  harness.processor.notices.hold();
  proxy = await startCutProxy(
    harness.ledger.database.url,
    (statement) => MONEY.test(statement) && !LOOKS.test(statement),
  );
  const env = { DATABASE_URL: proxy.url, AUTO_TOPUP_INTERVAL: '20ms', PAYMENT_CHECK_INTERVAL: '1h' };
  cutReplica = (await harness.replica(env)).payments;
}, 60_000);
afterAll(async () => {
  await harness.stop();
  await proxy.stop();
});

const CENT = 1_000_000n;

interface Scene {
  owner: Principal;
  /** As its caller does it, who asks again when it fails. */
  run(at: PaymentClient): Promise<unknown>;
  /** What must hold when it is done. */
  check(): Promise<void>;
}

const cents = async (owner: Principal) =>
  (await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents / CENT;
const walletCents = async (owner: Principal, customerId: string) =>
  (await harness.billing.getCustomerBalance({ customerId }, callAs(owner))).balanceMicrocents / CENT;

/** The processor's latest notice of a kind. */
function latest(type: string) {
  const event = harness.processor.notices.waiting().findLast((waiting) => waiting.type === type);
  if (!event) throw new Error(`no notice ${type}`);
  return event;
}

async function paidTopUp(): Promise<{ owner: Principal; id: string; payment: string }> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  const id = await makeCustomer(harness, owner, 'paygo');
  const wish = { customerId: id, creditAmountCents: 1_500n, ...URLS };
  const { topUp } = await harness.payments.createWalletTopUp(wish, callAs(owner));
  return { owner, id, payment: harness.processor.pay(topUp?.sessionId ?? '').payment_intent ?? '' };
}

/** A customer on a free tier with a card on file, from a subscription that has ended. */
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
  'the notice of a wallet’s payment': async () => {
    const { owner, id } = await paidTopUp();
    const event = latest('checkout.session.completed');
    return {
      owner,
      run: (at) => harness.notify(event, at),
      check: async () => expect(await walletCents(owner, id)).toBe(1_500n),
    };
  },
  'the notice of a refund, with a dispute that nobody has heard of': async () => {
    const { owner, id, payment } = await paidTopUp();
    await harness.notify(latest('payment_intent.succeeded'));
    await harness.stripe.refunds.create({ payment_intent: payment, amount: 400 });
    harness.processor.openDispute(payment, 1_400);
    const event = latest('charge.refunded');
    return {
      owner,
      run: (at) => harness.notify(event, at),
      check: async () => expect(await walletCents(owner, id)).toBe(-300n),
    };
  },
  'the notice of an owner’s payment': async () => {
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
  'the notice of a tier that somebody new has bought': async () => {
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
  'a card verification with its credit': async () => {
    const owner = ownerPrincipal();
    const { checkoutSessionId } = await harness.payments.startCardVerification(URLS, callAs(owner));
    harness.processor.pay(checkoutSessionId, { card: 'pm_card_new' });
    return {
      owner,
      run: (at) => at.confirmCardVerification({ checkoutSessionId }, callAs(owner)),
      check: async () => expect(await cents(owner)).toBe(500n),
    };
  },
  'a tier change that buys': async () => {
    const { owner, id, payer } = await customerWithCard();
    const isDone = async () => (await subscriptionOf(harness, owner, id))?.tierCode === 'max';
    return {
      owner,
      run: async (at) => {
        // Refused while nobody knows what became of an earlier one; that is found out in minutes.
        if (at === cutReplica) return at.changeTier({ customerId: id, tierCode: 'max' }, callAs(owner));
        return untilSo(isDone, () => at.changeTier({ customerId: id, tierCode: 'max' }, callAs(owner)));
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
    const wish = { enabled: true, thresholdCents: 1_000n, amountCents: 2_000n };
    const isDone = async () => (await cents(owner)) > 0n;
    return {
      owner,
      run: async (at) => {
        await at.setAutoTopUp(wish, callAs(owner));
        if (at === cutReplica) await waitUntil(async () => proxy.isCut || (await isDone()), { what: 'the charge' });
        else await untilSo(isDone, async () => undefined);
      },
      check: async () => {
        expect(await cents(owner)).toBe(2_000n);
        const charges = harness.processor.store.all('payment_intent').filter((intent) => intent.customer === customer);
        expect(charges.map((charge) => charge.amount_received)).toEqual([2_000]);
      },
    };
  },
};

/** Asks again, and lets minutes pass in between, in which open orders are looked into. */
async function untilSo(isDone: () => Promise<boolean>, ask: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    await ask().catch(() => undefined);
    if (await isDone()) return;
    harness.clock.advance({ minutes: 3 });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  throw new Error('it is never done');
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
  it('whose connection breaks at any statement has its effect once when it comes again', async () => {
    const statements = await play(await prepare(), undefined);
    expect(statements.length).toBeGreaterThan(0);
    for (let at = 1; at <= statements.length; at++) {
      for (const when of ['before', 'after'] as const) {
        await play(await prepare(), { at, when }).catch((error: Error) => {
          throw new Error(`cut ${when} statement ${at}, ${statements[at - 1]?.slice(0, 80)}: ${error.message}`);
        });
      }
    }
  }, 120_000);
});
