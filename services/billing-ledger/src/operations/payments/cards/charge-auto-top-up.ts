import { randomUUID } from 'node:crypto';
import { withTransaction } from '@tollgate/postgres';
import { classifyFailure } from '../../../clients/processor.js';
import { topUpNeed } from '../../../domain/payments/auto-top-up.js';
import { findAccount } from '../../../store/accounts.js';
import {
  type AutoTopUpRow,
  accountsBelowThreshold,
  findAutoTopUp,
  noteTrigger,
  putOff,
  tryLockAutoTopUp,
} from '../../../store/payments/auto-topups.js';
import { autoTopUpsSince, findOrder, insertOrder, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import { CURRENCY } from '../checkouts/create-top-up.js';
import { ensureProcessorCustomer } from '../ensure-processor-customer.js';
import { orderMetadata } from '../orders/order-metadata.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { failAutoTopUp } from '../webhook-events/fail-payment.js';
import { applyPayment } from '../webhook-events/sync-payment.js';

/** Pause before the next check when a limit forbids a charge. */
const LIMIT_PAUSE_MS = 600_000;
const CHECK_CALL_MS = 120_000;
const BATCH_MAX = 50;

/** Charges accounts below their threshold. Returns true if there may be more. */
export async function chargeDueAccounts(ctx: PaymentContext): Promise<boolean> {
  const accounts = await accountsBelowThreshold(ctx.pool, ctx.clock.now(), BATCH_MAX);
  for (const accountId of accounts) {
    try {
      await autoTopUp(ctx, accountId);
    } catch (err) {
      ctx.logger.warn({ err, account: accountId }, 'automatic top-up has no outcome yet');
    }
  }
  return accounts.length === BATCH_MAX;
}

/** Charges an account's card if its balance is below the threshold. Decides under lock; at most one charge is open. */
export async function autoTopUp(ctx: PaymentContext, accountId: string): Promise<void> {
  const order = await withTransaction(ctx.pool, async (tx) => {
    const row = await tryLockAutoTopUp(tx, accountId);
    if (!row) return undefined;
    const owner = await findAccount(tx, { kind: 'owner', refId: accountId });
    const balance = owner ? owner.credits - owner.debits : 0n;
    const now = ctx.clock.now();
    const spent = await autoTopUpsSince(tx, accountId, dayStart(now), monthStart(now));
    const need = topUpNeed({
      state: toAutoTopUpState(row),
      balanceMicrocents: balance,
      spent,
      limits: ctx.config.topUps,
      nowMs: now.getTime(),
    });
    // Only `limited` postpones the next check: after `none` a charge may become due at any moment.
    if (need.kind === 'limited') await putOff(tx, accountId, new Date(now.getTime() + LIMIT_PAUSE_MS));
    if (need.kind !== 'due') return undefined;
    const id = randomUUID();
    const isNew = await insertOrder(tx, {
      id,
      kind: 'auto_topup',
      accountId,
      amountCents: need.cents,
      currency: CURRENCY,
      createdAt: now,
      checkAt: new Date(now.getTime() + CHECK_CALL_MS),
    });
    if (!isNew) return undefined;
    await noteTrigger(tx, accountId, now);
    return findOrder(tx, id);
  });
  if (order) await chargeAutoTopUp(ctx, order);
}

/** Charges once per order: its id is the idempotency key. */
export async function chargeAutoTopUp(ctx: PaymentContext, order: PaymentOrder): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const row = await findAutoTopUp(ctx.pool, order.account_id);
  if (!row?.card_id) return failAutoTopUp(ctx, order, 'the card was removed');
  const payer = await ensureProcessorCustomer(ctx, 'account', order.account_id);
  const ticket = await drawTicket(ctx.pool);
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount: Number(order.amount_cents),
        currency: order.currency ?? CURRENCY,
        customer: payer,
        payment_method: row.card_id,
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        off_session: true,
        confirm: true,
        description: 'Automatic top-up',
        metadata: orderMetadata(order.id),
      },
      { idempotencyKey: order.id },
    );
    await applyPayment(ctx, intent, ticket);
  } catch (error) {
    // `resolve-orders` finds out whether a call without a response had an effect.
    if (classifyFailure(error) === 'unknown') throw error;
    await failAutoTopUp(ctx, order, error instanceof Error ? error.message : String(error));
  }
}

function toAutoTopUpState(row: AutoTopUpRow) {
  return {
    isEnabled: row.is_enabled,
    thresholdCents: row.threshold_cents,
    amountCents: row.amount_cents,
    cardId: row.card_id,
    nextAttemptMs: row.next_attempt_at?.getTime(),
  };
}

function dayStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

function monthStart(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
