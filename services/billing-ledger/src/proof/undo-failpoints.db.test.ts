import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { isAppError } from '@tollgate/errors';
import { eventTypes } from '@tollgate/events';
import { silentLogger } from '@tollgate/runtime';
import { openParts, type Parts } from '@tollgate/service';
import { type Config, configFromEnv } from '../config.js';
import { type Context, createContext } from '../context.js';
import { deleteCustomer } from '../operations/customers/delete-customer.js';
import { resolveOrders } from '../operations/payments/orders/resolve-orders.js';
import { undoOrders } from '../operations/payments/orders/undo-orders.js';
import { syncCheckout } from '../operations/payments/webhook-events/sync-checkout.js';
import { syncPayment } from '../operations/payments/webhook-events/sync-payment.js';
import { callAs, ownerPrincipal } from '../testing/ledger-harness.js';
import {
  makeCustomer,
  makeTier,
  type PaymentsHarness,
  startPaymentsHarness,
  URLS,
} from '../testing/payments-harness.js';
import { paymentWorkers } from '../workers/payments.js';
import { type Cut, type CutProxy, startCutProxy } from './cut-proxy.js';

// Cuts the database connection at every statement of a deletion and of the undo of its purchases. Another replica takes
// over. Each effect must happen once: pages expire, payments are refunded, the rest is forfeited.

let harness: PaymentsHarness;
let proxy: CutProxy;
/** A replica behind the proxy, and the replica that takes over. Their order workers are stopped: the test runs the passes. */
let cut: Context;
let next: Context;
const opened: Parts<Config>[] = [];

const TABLES =
  'payment_orders|reported_refunds|processor_subscriptions|deleted_customers|transfers|accounts|customers|outbox';
const WATCHED = new RegExp(`^(lock_accounts|find_account)$|(INTO|UPDATE|FROM) (${TABLES})\\b`);
/** Polling statements of other loops. */
const POLLS = /auto_topups|outbox_|published_at|^WITH due AS \(\s*SELECT id FROM deleted_customers/;

beforeAll(async () => {
  harness = await startPaymentsHarness('undo_failpoints', { PAYMENT_CHECK_INTERVAL: '1h', AUTO_TOPUP_INTERVAL: '1h' });
  proxy = await startCutProxy(
    harness.ledger.database.url,
    (statement) => WATCHED.test(statement) && !POLLS.test(statement),
  );
  // Webhook events are not delivered: the test calls the operations itself.
  harness.processor.webhooks.hold();
  cut = await quietReplica(proxy.url);
  next = await quietReplica(harness.ledger.database.url);
});
afterAll(async () => {
  for (const parts of opened) await parts.stop();
  await harness.stop();
  await proxy.stop();
});

async function quietReplica(url: string): Promise<Context> {
  const config = configFromEnv({
    DATABASE_URL: url,
    DATABASE_SCHEMA: harness.ledger.database.schema,
    SANDBOX_PROVIDER: '1',
    STRIPE_SECRET_KEY: 'sk_test_harness',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
    STRIPE_API_BASE: harness.processor.baseUrl,
    AUTO_TOPUP_INTERVAL: '1h',
  });
  const parts = openParts('billing-ledger', config, { logger: silentLogger, clock: harness.clock });
  opened.push(parts);
  const ctx = await createContext(parts, paymentWorkers);
  await ctx.orders.stop();
  return ctx;
}

const CENT = 1_000_000n;

interface Scene {
  owner: Principal;
  /** Runs on the replica that is cut, then on the replica that takes over. */
  run(ctx: Context): Promise<unknown>;
  /** Checks the final state. */
  check(): Promise<void>;
}

async function shop(tierCode: string): Promise<{ owner: Principal; id: string }> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
  return { owner, id: await makeCustomer(harness, owner, tierCode) };
}

async function openTopUp(owner: Principal, customerId: string): Promise<string> {
  const req = { customerId, creditAmountCents: 1_500n, ...URLS };
  return (await harness.payments.createWalletTopUp(req, callAs(owner))).topUp?.sessionId ?? '';
}

const remove = (ctx: Context, owner: Principal, id: string, cancelSubscription = false) =>
  deleteCustomer(ctx, owner, { $typeName: 'tollgate.billing.v1.DeleteCustomerRequest', id, cancelSubscription });

/** Deletes a customer and ignores NOT_FOUND, the response to a repeated deletion. */
async function removeOnce(ctx: Context, owner: Principal, id: string, cancelSubscription = false): Promise<void> {
  await remove(ctx, owner, id, cancelSubscription).catch((error: unknown) => {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
  });
}

/** Runs passes of the worker, with time between them, until the work is done. */
async function untilDone(
  ctx: Context,
  work: (ctx: Context) => Promise<unknown>,
  isDone: () => boolean | Promise<boolean>,
) {
  for (let passes = 0; passes < 20; passes += 1) {
    await work(ctx);
    if (ctx === cut || (await isDone())) return;
    harness.clock.advance({ minutes: 20 });
  }
  throw new Error('the work was never done');
}

/** PostgreSQL may notice late that a connection was cut. Until then the passes of the workers skip the rows that it locked. */
async function awaitLocks(): Promise<void> {
  for (const table of ['payment_orders', 'processor_subscriptions']) {
    await next.pool.query(`SELECT 1 FROM ${table} FOR UPDATE`);
  }
}

async function isUndone(id: string): Promise<boolean> {
  const { rows } = await next.pool.query(
    'SELECT 1 FROM payment_orders WHERE customer_id = $1 AND undo_at IS NOT NULL',
    [id],
  );
  return rows.length === 0;
}

async function forfeitedCents(owner: Principal): Promise<bigint> {
  const range = { from: timestampFromMs(0), to: timestampFromMs(Date.UTC(9_000, 0)) };
  return (await harness.billing.getAccountUsage(range, callAs(owner))).forfeitedMicrocents / CENT;
}

const events = async (owner: Principal) => ({
  deleted: (await harness.ledger.events(eventTypes.customerDeleted, owner.projectId)).length,
  refunded: (await harness.ledger.events(eventTypes.paymentRefunded, owner.projectId)).map((e) => e.amountCents),
});

const listRefunds = (payment: string | null) =>
  harness.processor.store.all('refund').filter((refund) => refund.payment_intent === payment);

const SCENES: Record<string, () => Promise<Scene>> = {
  'deleting a customer with a balance and an open checkout page': async () => {
    const { owner, id } = await shop('paygo');
    await syncPayment(next, harness.processor.pay(await openTopUp(owner, id)).payment_intent ?? '');
    const page = await openTopUp(owner, id);
    return {
      owner,
      run: async (ctx) => {
        await removeOnce(ctx, owner, id);
        await untilDone(ctx, undoOrders, () => isUndone(id));
      },
      check: async () => {
        expect(harness.processor.store.get('checkout.session', page)?.status).toBe('expired');
        expect(await forfeitedCents(owner)).toBe(1_500n);
        expect(await events(owner)).toEqual({ deleted: 1, refunded: [] });
      },
    };
  },
  'undoing a payment for a wallet': async () => {
    const { owner, id } = await shop('paygo');
    const page = await openTopUp(owner, id);
    const { payment_intent: payment } = harness.processor.pay(page);
    await remove(next, owner, id);
    return {
      owner,
      run: (ctx) => untilDone(ctx, undoOrders, () => isUndone(id)),
      check: async () => {
        expect(listRefunds(payment)).toHaveLength(1);
        expect(await forfeitedCents(owner)).toBe(0n);
        expect(await events(owner)).toEqual({ deleted: 1, refunded: [1_500n] });
      },
    };
  },
  'booking a payment for a deleted wallet': async () => {
    const { owner, id } = await shop('paygo');
    const page = await openTopUp(owner, id);
    const { payment_intent: payment } = harness.processor.pay(page);
    await remove(next, owner, id);
    return {
      owner,
      run: async (ctx) => {
        await syncPayment(ctx, payment ?? '');
        if (ctx !== cut) await untilDone(ctx, undoOrders, () => isUndone(id));
      },
      check: async () => {
        expect(listRefunds(payment)).toHaveLength(1);
        expect(await forfeitedCents(owner)).toBe(0n);
        expect(await events(owner)).toEqual({ deleted: 1, refunded: [1_500n] });
      },
    };
  },
  'undoing a purchase of a tier': async () => {
    const { owner, id } = await shop('free');
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId } = await harness.payments.createCheckout({ customerId: id, tier, ...URLS }, callAs(owner));
    const { subscription } = harness.processor.pay(sessionId);
    await remove(next, owner, id);
    return {
      owner,
      run: (ctx) => untilDone(ctx, undoOrders, () => isUndone(id)),
      check: async () => {
        expect(harness.processor.store.get('subscription', subscription ?? '')?.status).toBe('canceled');
        expect(await events(owner)).toEqual({ deleted: 1, refunded: [2_000n] });
      },
    };
  },
  'canceling the subscription of a customer': async () => {
    const { owner, id } = await shop('free');
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId } = await harness.payments.createCheckout({ customerId: id, tier, ...URLS }, callAs(owner));
    const subscription = harness.processor.pay(sessionId).subscription ?? '';
    await syncCheckout(next, sessionId);
    const isEnded = () => harness.processor.store.get('subscription', subscription)?.status === 'canceled';
    return {
      owner,
      run: async (ctx) => {
        await removeOnce(ctx, owner, id, true);
        await untilDone(ctx, resolveOrders, isEnded);
      },
      check: async () => {
        expect(isEnded()).toBe(true);
        expect(await events(owner)).toEqual({ deleted: 1, refunded: [] });
      },
    };
  },
};

async function play(scene: Scene, at: Cut | undefined): Promise<string[]> {
  proxy.arm(at);
  await scene.run(cut).catch(() => undefined);
  const { seen, isCut } = proxy;
  proxy.arm();
  expect(isCut).toBe(at !== undefined);
  await awaitLocks();
  await scene.run(next);
  await scene.check();
  expect((await harness.billing.verifyLedger({}, callAs(scene.owner))).differences).toEqual([]);
  return seen;
}

describe.each(Object.entries(SCENES))('%s', (_, prepare) => {
  it('has its effects once when the connection breaks at any statement', async () => {
    const statements = await play(await prepare(), undefined);
    expect(statements.length).toBeGreaterThan(0);
    for (let at = 1; at <= statements.length; at += 1) {
      for (const when of ['before', 'after'] as const) {
        await play(await prepare(), { at, when }).catch((error: Error) => {
          throw new Error(`cut ${when} statement ${at}, ${statements[at - 1]?.slice(0, 80)}: ${error.message}`);
        });
      }
    }
  }, 600_000);
});
