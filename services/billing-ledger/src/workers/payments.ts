import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import type { Config } from '../config.js';
import type { Context, PaymentWorkers } from '../context.js';
import { closeWallets } from '../operations/credit/close-wallet.js';
import { chargeDueAccounts } from '../operations/payments/cards/charge-auto-top-up.js';
import { resolveOrders } from '../operations/payments/orders/resolve-orders.js';
import { undoOrders } from '../operations/payments/orders/undo-orders.js';
import type { PaymentContext } from '../operations/payments/payment-context.js';
import { sendNextPrices } from '../operations/payments/prices/migrate-tier-price.js';
import { sendTierPrices } from '../operations/payments/prices/send-tier-price.js';
import { readPaymentHistory } from '../operations/payments/read-payment-history.js';
import { resolveRefunds } from '../operations/payments/refunds/resolve-refunds.js';
import { sendChangedEmails } from '../operations/payments/send-changed-emails.js';
import { rollOverSubscriptions } from '../operations/payments/tier-changes/roll-over-subscriptions.js';
import type { EndedCustomer } from '../store/payments/customer-subscriptions.js';

const PERIOD_INTERVAL_MS = 60_000;
const WALLET_INTERVAL_MS = 60_000;

/** Charges accounts below their threshold. Runs on every replica; the lock on an account's settings decides who charges. */
function createAutoTopUpWorker(config: Config, logger: Logger, context: () => PaymentContext): Loop {
  return createLoop({
    name: 'auto-top-up',
    intervalMs: config.autoTopUpIntervalMs,
    logger,
    run: async () => (config.processor ? chargeDueAccounts(context()) : false),
  });
}

/** Resolves orders and refunds whose outcome is overdue, undoes purchases of deleted customers and projects, sends changed emails and prices of tiers, and reads payment histories. */
function createOrderWorker(config: Config, logger: Logger, context: () => PaymentContext): Loop {
  return createLoop({
    name: 'resolve-orders',
    intervalMs: config.paymentCheckIntervalMs,
    logger,
    run: async () => {
      if (!config.processor) return false;
      const hasMoreToUndo = await undoOrders(context());
      const hasMoreToRefund = await resolveRefunds(context());
      const hasMoreToSend = await sendChangedEmails(context());
      const hasMorePrices = await sendTierPrices(context());
      const hasMoreNextPrices = await sendNextPrices(context());
      const hasMoreToRead = await readPaymentHistory(context());
      const hasMoreOrders = await resolveOrders(context());
      const hasMore = hasMoreToUndo || hasMoreToRefund || hasMoreToSend || hasMoreToRead;
      return hasMore || hasMoreOrders || hasMorePrices || hasMoreNextPrices;
    },
  });
}

/** The workers that operations wake. */
export const paymentWorkers: PaymentWorkers = { autoTopUps: createAutoTopUpWorker, orders: createOrderWorker };

/** Empties wallets of deleted customers after their last requests settle. */
export function createWalletWorker(ctx: Pick<Context, 'clock' | 'logger' | 'pool'>): Loop {
  return createLoop({
    name: 'close-wallets',
    intervalMs: WALLET_INTERVAL_MS,
    logger: ctx.logger,
    run: () => closeWallets(ctx),
  });
}

/** Starts the next period of subscriptions that the processor does not renew. */
export function createPeriodWorker(ctx: PaymentContext): Loop {
  let after: EndedCustomer | undefined;
  return createLoop({
    name: 'roll-over-subscriptions',
    intervalMs: PERIOD_INTERVAL_MS,
    logger: ctx.logger,
    run: async () => {
      after = await rollOverSubscriptions(ctx, after);
      return after !== undefined;
    },
  });
}
