import { createLoop, type Logger, type Loop } from '@tollgate/runtime';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import { chargeDueAccounts } from '../operations/payments/charge-auto-top-up.js';
import { resolveOrders } from '../operations/payments/resolve-orders.js';
import { rollOverSubscriptions } from '../operations/payments/roll-over-subscriptions.js';

const PERIOD_INTERVAL_MS = 60_000;

/** Watches balances. Runs on every replica; the row of an account's settings decides who charges. */
export function createAutoTopUpWorker(config: Config, logger: Logger, context: () => Context): Loop {
  return createLoop({
    name: 'auto-top-up',
    intervalMs: config.autoTopUpIntervalMs,
    logger,
    run: async () => (config.processor ? chargeDueAccounts(context()) : false),
  });
}

/** Asks the processor about what its notices should have told. */
export function createOrderWorker(ctx: Context): Loop {
  return createLoop({
    name: 'resolve-orders',
    intervalMs: ctx.config.paymentCheckIntervalMs,
    logger: ctx.logger,
    run: async () => (ctx.processor ? resolveOrders(ctx) : false),
  });
}

/** Begins the next period of subscriptions that nobody else renews. */
export function createPeriodWorker(ctx: Context): Loop {
  return createLoop({
    name: 'roll-over-subscriptions',
    intervalMs: PERIOD_INTERVAL_MS,
    logger: ctx.logger,
    run: () => rollOverSubscriptions(ctx),
  });
}
