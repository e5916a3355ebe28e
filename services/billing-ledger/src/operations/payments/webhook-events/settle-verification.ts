import { AppError } from '@tollgate/errors';
import { centsToMicrocents } from '@tollgate/money';
import { type Tx, withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import type { Context } from '../../../context.js';
import { COUNTER_ACCOUNTS } from '../../../domain/counter-accounts.js';
import { cardRefusal, type ProcessorCard } from '../../../domain/payments/verified-card.js';
import { lockAccounts, openAccount } from '../../../store/accounts.js';
import {
  type CardVerificationRow,
  claimCardGrant,
  findCardVerification,
  insertCardVerification,
} from '../../../store/payments/card-verifications.js';
import { endOrder, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { insertTransfer } from '../../../store/transfers.js';
import { toProcessorCard } from '../cards/processor-card.js';

/** The account's record, or the reason why the card cannot verify the account. */
export type VerificationResult = { kind: 'verified'; row: CardVerificationRow } | { kind: 'refused'; reason: string };

/**
 * Completes a card verification once per account and grants the signup credit once per card. The webhook event and the
 * owner's confirmation both call this; the second call changes nothing.
 */
export async function settleVerification(
  ctx: Pick<Context, 'clock' | 'config' | 'pool'>,
  order: PaymentOrder,
  session: Stripe.Checkout.Session,
): Promise<VerificationResult> {
  const card = cardFromSession(session);
  const reason = cardRefusal(card);
  if (reason !== undefined || !card) {
    await endOrder(ctx.pool, order.id, { status: 'failed', at: ctx.clock.now(), failure: reason });
    return { kind: 'refused', reason: reason ?? '' };
  }
  const row = await withTransaction(ctx.pool, async (tx) => {
    const owner = await openAccount(tx, order.account_id, { kind: 'owner', refId: order.account_id });
    // The owner's row serializes verifications of one account.
    await lockAccounts(tx, [owner.id]);
    const earlier = await findCardVerification(tx, order.account_id);
    const result = earlier ?? (await verify(ctx, tx, { order, ownerAccount: owner.id, card }));
    await endOrder(tx, order.id, { status: 'completed', at: ctx.clock.now() });
    return result;
  });
  return { kind: 'verified', row };
}

async function verify(
  ctx: Pick<Context, 'clock' | 'config' | 'pool'>,
  tx: Tx,
  { order, ownerAccount, card }: { order: PaymentOrder; ownerAccount: bigint; card: ProcessorCard },
): Promise<CardVerificationRow> {
  const cents = ctx.config.signupCreditCents;
  const fingerprint = card.fingerprint ?? '';
  const isFirst = cents > 0n && (await claimCardGrant(tx, fingerprint, order.account_id));
  const row: CardVerificationRow = {
    account_id: order.account_id,
    order_id: order.id,
    verified_at: ctx.clock.now(),
    card_brand: card.brand,
    card_last4: card.last4,
    grant_amount_cents: isFirst ? cents : 0n,
    is_grant_used_by_card: cents > 0n && !isFirst,
  };
  if (!(await insertCardVerification(tx, row))) throw new AppError('CONFLICT', 'the account is already verified');
  if (isFirst) {
    await insertTransfer(tx, {
      debit: COUNTER_ACCOUNTS.promo,
      credit: ownerAccount,
      amountMicrocents: centsToMicrocents(cents),
      kind: 'promo',
      cause: `signup credit of card ${fingerprint}`,
    });
  }
  return row;
}

function cardFromSession(session: Stripe.Checkout.Session): ProcessorCard | undefined {
  const intent = session.setup_intent;
  return typeof intent === 'object' && intent !== null ? toProcessorCard(intent.payment_method) : undefined;
}
