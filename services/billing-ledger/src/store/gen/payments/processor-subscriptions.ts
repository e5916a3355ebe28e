// Generated from payments/processor-subscriptions.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { PendingRequest } from '../../../store/payments/processor-subscriptions.js';

export interface PutProcessorSubscriptionInput {
  id: string;
  customerId: string;
  tierId: string;
  processorCustomerId: string;
  status: string;
  periodStart: Date;
  periodEnd: Date;
  cancelsAtPeriodEnd: boolean;
  startedAt: Date;
  ticket: bigint | number;
  checkAt: Date;
  cancelAt: Date | null;
  endedAt: Date | null;
  itemId: string | null;
  priceRef: string | null;
  priceAmountCents: bigint | number | null;
  priceCurrency: string | null;
  priceInterval: string | null;
}

const PUT_PROCESSOR_SUBSCRIPTION = `
  INSERT INTO processor_subscriptions AS p (id, customer_id, tier_id, processor_customer_id, status, period_start,
    period_end, cancels_at_period_end, started_at, ticket, check_at, cancel_at, ended_at, item_id, price_ref,
    price_amount_cents, price_currency, price_interval)
  VALUES ($1, $2, $3, $4, $5, $6,
    $7, $8, $9, $10, $11, $12, $13, $14, $15,
    $16, $17, $18)
  ON CONFLICT (id) DO UPDATE SET
    tier_id = excluded.tier_id, status = excluded.status, period_start = excluded.period_start,
    period_end = excluded.period_end, cancels_at_period_end = excluded.cancels_at_period_end,
    cancel_at = excluded.cancel_at, ended_at = excluded.ended_at, item_id = excluded.item_id,
    price_ref = excluded.price_ref, price_amount_cents = excluded.price_amount_cents,
    price_currency = excluded.price_currency, price_interval = excluded.price_interval, ticket = excluded.ticket,
    check_at = CASE WHEN p.pending_request IS NULL THEN excluded.check_at ELSE p.check_at END
  WHERE p.ticket < excluded.ticket`;

/** Stores the processor's response, unless a response with a later ticket is stored already. A pending request stays due. */
export async function putProcessorSubscription(db: Queryable, input: PutProcessorSubscriptionInput): Promise<void> {
  await db.query({
    name: 'put_processor_subscription',
    text: PUT_PROCESSOR_SUBSCRIPTION,
    values: [
      input.id,
      input.customerId,
      input.tierId,
      input.processorCustomerId,
      input.status,
      input.periodStart,
      input.periodEnd,
      input.cancelsAtPeriodEnd,
      input.startedAt,
      input.ticket,
      input.checkAt,
      input.cancelAt,
      input.endedAt,
      input.itemId,
      input.priceRef,
      input.priceAmountCents,
      input.priceCurrency,
      input.priceInterval,
    ],
  });
}

export interface TakeOverdueSubscriptionsInput {
  now: Date;
  limit: bigint | number;
  checkMs: bigint | number;
  requestMs: bigint | number;
}

export interface TakeOverdueSubscriptionsRow {
  id: string;
  pending: PendingRequest | null;
}

const TAKE_OVERDUE_SUBSCRIPTIONS = `
  WITH due AS (
    SELECT id FROM processor_subscriptions
    WHERE status NOT IN ('canceled', 'incomplete_expired') AND check_at <= $1::timestamptz
    ORDER BY check_at LIMIT $2
    FOR UPDATE SKIP LOCKED
  )
  UPDATE processor_subscriptions p
  SET check_at = $1
    + CASE WHEN p.pending_request IS NULL THEN $3::bigint ELSE $4::bigint END * interval '1 millisecond'
  WHERE p.id = ANY (ARRAY(SELECT id FROM due))
  RETURNING p.id, p.pending_request AS pending`;

/** Claims due subscriptions, whose webhook event is overdue or that have a pending request. Schedules the next check. */
export async function takeOverdueSubscriptions(db: Queryable, input: TakeOverdueSubscriptionsInput): Promise<TakeOverdueSubscriptionsRow[]> {
  const { rows } = await db.query<TakeOverdueSubscriptionsRow>({
    name: 'take_overdue_subscriptions',
    text: TAKE_OVERDUE_SUBSCRIPTIONS,
    values: [
      input.now,
      input.limit,
      input.checkMs,
      input.requestMs,
    ],
  });
  return rows;
}
