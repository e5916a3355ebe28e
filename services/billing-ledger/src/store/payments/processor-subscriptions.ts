import type { Queryable } from '@tollgate/postgres';
import {
  ENDED_STATUSES,
  PENDING_STATUS,
  type ProcessorSubscription,
} from '../../domain/payments/effective-subscription.js';
import type { KnownPlan } from '../../domain/payments/plan-item.js';
import { literalList } from '../database.js';
import * as sql from '../gen/payments/processor-subscriptions.js';
import type { SubscriptionPrice } from './customer-subscriptions.js';

const ENDED = literalList(ENDED_STATUSES);

/** Draws a ticket before the processor is read, to be passed to {@link putProcessorSubscription} with the response. */
export async function drawTicket(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ ticket: bigint }>("SELECT nextval('processor_tickets') AS ticket");
  return rows[0]?.ticket ?? 0n;
}

export interface SeenSubscription extends ProcessorSubscription {
  cancelsAtPeriodEnd: boolean;
  /** When a scheduled cancellation ends the subscription. */
  cancelAtMs: number | undefined;
  endedMs: number | undefined;
  /** The item that is the plan. */
  plan: { itemId: string | null; priceId: string | null; price: SubscriptionPrice | undefined };
}

/** Stores the processor's response, unless a response with a later ticket is stored already. */
export async function putProcessorSubscription(
  tx: Queryable,
  customerId: string,
  seen: SeenSubscription,
  { ticket, checkAt }: { ticket: bigint; checkAt: Date },
): Promise<void> {
  await sql.putProcessorSubscription(tx, {
    id: seen.id,
    customerId,
    tierId: seen.tierId,
    processorCustomerId: seen.processorCustomerId,
    status: seen.status,
    periodStart: new Date(seen.period.startMs),
    periodEnd: new Date(seen.period.endMs),
    cancelsAtPeriodEnd: seen.cancelsAtPeriodEnd,
    startedAt: new Date(seen.startedMs),
    ticket,
    checkAt,
    cancelAt: toDate(seen.cancelAtMs),
    endedAt: toDate(seen.endedMs),
    itemId: seen.plan.itemId,
    priceRef: seen.plan.priceId,
    priceAmountCents: seen.plan.price?.amountCents ?? null,
    priceCurrency: seen.plan.price?.currency ?? null,
    priceInterval: seen.plan.price?.interval ?? null,
  });
}

interface SeenRow {
  id: string;
  customer_id: string;
  tier_id: string;
  processor_customer_id: string;
  status: string;
  period_start: Date;
  period_end: Date;
  cancels_at_period_end: boolean;
  started_at: Date;
  cancel_at: Date | null;
  ended_at: Date | null;
  item_id: string | null;
  price_ref: string | null;
  price_amount_cents: bigint | null;
  price_currency: string | null;
  price_interval: string | null;
}

const COLUMNS = `id, customer_id, tier_id, processor_customer_id, status, period_start, period_end, cancels_at_period_end, started_at,
  cancel_at, ended_at, item_id, price_ref, price_amount_cents, price_currency, price_interval`;

export async function subscriptionsOfCustomer(db: Queryable, customerId: string): Promise<SeenSubscription[]> {
  const { rows } = await db.query<SeenRow>(
    `SELECT ${COLUMNS} FROM processor_subscriptions WHERE customer_id = $1 ORDER BY started_at DESC LIMIT 100`,
    [customerId],
  );
  return rows.map(toSeenSubscription);
}

/** Finds the customer, the tier and the plan's item of a subscription; undefined if it was never seen. */
export async function findProcessorSubscription(
  db: Queryable,
  id: string,
): Promise<(KnownPlan & { customerId: string }) | undefined> {
  const { rows } = await db.query<SeenRow>(`SELECT ${COLUMNS} FROM processor_subscriptions WHERE id = $1`, [id]);
  const [row] = rows;
  return row && { customerId: row.customer_id, tierId: row.tier_id, itemId: row.item_id, priceId: row.price_ref };
}

/** A request to the processor that is retried until it succeeds. */
export type PendingRequest = 'cancel' | 'end_trial';

export interface OverdueSubscription {
  id: string;
  pending: PendingRequest | null;
}

/** Claims due subscriptions, whose webhook event is overdue or that have a pending request. Schedules the next check. */
export async function takeOverdueSubscriptions(
  db: Queryable,
  now: Date,
  pause: { checkMs: number; requestMs: number },
  limit: number,
): Promise<OverdueSubscription[]> {
  return sql.takeOverdueSubscriptions(db, { now, limit, ...pause });
}

/** Schedules a request for a subscription, due now. */
export async function requestOfProcessor(tx: Queryable, id: string, request: PendingRequest, now: Date): Promise<void> {
  await tx.query('UPDATE processor_subscriptions SET pending_request = $2, check_at = $3 WHERE id = $1', [
    id,
    request,
    now,
  ]);
}

/** Schedules the cancellation of all running subscriptions of a customer, due now. */
export async function scheduleCancellations(tx: Queryable, customerId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE processor_subscriptions SET pending_request = 'cancel', check_at = $2
     WHERE customer_id = $1 AND status NOT IN (${ENDED})`,
    [customerId, now],
  );
}

export async function clearRequest(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE processor_subscriptions SET pending_request = NULL WHERE id = $1', [id]);
}

/** Lists running subscriptions of a project's customers, including deleted ones: their tiers still exist. */
export async function runningSubscriptions(db: Queryable, projectId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT p.id FROM processor_subscriptions p JOIN tiers t ON t.id = p.tier_id
     WHERE t.project_id = $1 AND p.status NOT IN (${literalList([...ENDED_STATUSES, PENDING_STATUS])})
     ORDER BY p.id`,
    [projectId],
  );
  return rows.map((row) => row.id);
}

function toSeenSubscription(row: SeenRow): SeenSubscription {
  return {
    id: row.id,
    tierId: row.tier_id,
    processorCustomerId: row.processor_customer_id,
    status: row.status,
    period: { startMs: row.period_start.getTime(), endMs: row.period_end.getTime() },
    cancelsAtPeriodEnd: row.cancels_at_period_end,
    startedMs: row.started_at.getTime(),
    cancelAtMs: row.cancel_at?.getTime(),
    endedMs: row.ended_at?.getTime(),
    plan: { itemId: row.item_id, priceId: row.price_ref, price: toPrice(row) },
  };
}

function toPrice(row: SeenRow): SubscriptionPrice | undefined {
  if (row.price_amount_cents === null) return undefined;
  return { amountCents: row.price_amount_cents, currency: row.price_currency, interval: row.price_interval };
}

function toDate(ms: number | undefined): Date | null {
  return ms === undefined ? null : new Date(ms);
}
