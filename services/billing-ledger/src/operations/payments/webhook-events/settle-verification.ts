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
import { cardOf } from '../cards/processor-card.js';

/** What came of a finished verification: the account's record, or why the card is not good enough. */
export type VerificationResult = { kind: 'verified'; row: CardVerificationRow } | { kind: 'refused'; reason: string };

/**
 * Ends a card verification whose checkout is complete: once per account, and the signup credit once per card, for ever.
 * The notice and the owner's confirmation both come here; whoever is second finds it done.
 */
export async function settleVerification(
  ctx: Context,
  order: PaymentOrder,
  session: Stripe.Checkout.Session,
): Promise<VerificationResult> {
  const card = cardOfSession(session);
  const reason = cardRefusal(card);
  if (reason !== undefined || !card) {
    await endOrder(ctx.pool, order.id, { status: 'failed', at: ctx.clock.now(), failure: reason });
    return { kind: 'refused', reason: reason ?? '' };
  }
  const row = await withTransaction(ctx.pool, async (tx) => {
    const owner = await openAccount(tx, order.account_id, { kind: 'owner', refId: order.account_id });
    // The owner's row is the lock: two verifications of one account come one after the other.
    await lockAccounts(tx, [owner.id]);
    const earlier = await findCardVerification(tx, order.account_id);
    const result = earlier ?? (await verify(ctx, tx, order, owner.id, card));
    await endOrder(tx, order.id, { status: 'completed', at: ctx.clock.now() });
    return result;
  });
  return { kind: 'verified', row };
}

async function verify(
  ctx: Context,
  tx: Tx,
  order: PaymentOrder,
  ownerAccount: bigint,
  card: ProcessorCard,
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
  if (!(await insertCardVerification(tx, row))) throw new AppError('CONFLICT', 'the account is verified already');
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

function cardOfSession(session: Stripe.Checkout.Session): ProcessorCard | undefined {
  const intent = session.setup_intent;
  return typeof intent === 'object' && intent !== null ? cardOf(intent.payment_method) : undefined;
}
