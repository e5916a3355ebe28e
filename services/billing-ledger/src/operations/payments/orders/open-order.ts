import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { contractError, failureOf } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { keepCustomer } from '../../../store/customers/customers.js';
import { endOrder, insertOrder, type NewOrder, noteSession } from '../../../store/payments/payment-orders.js';
import { keepTier } from '../../../store/tiers/tiers.js';
import { requireProcessor } from '../require-processor.js';

/** How long to trust that a notice comes before asking: a call whose answer was lost, a checkout that a person fills in. */
const CHECK_CALL_MS = 120_000;
const CHECK_SESSION_MS = 900_000;

type OrderWish = Omit<NewOrder, 'id' | 'createdAt' | 'checkAt'>;

export interface OpenSession {
  orderId: string;
  sessionId: string;
  url: string;
  expiresAt: Date;
  createdAt: Date;
}

/**
 * Records what the processor is about to be asked for. Returns undefined if one is open and only one is allowed. Locks the
 * customer and the tier: a concurrent deletion either sees the order or makes this call fail.
 *
 * @throws AppError NOT_FOUND
 */
export async function openOrder(
  ctx: Pick<Context, 'pool'>,
  nowMs: number,
  wish: OrderWish,
): Promise<string | undefined> {
  const id = randomUUID();
  const order = { ...wish, id, createdAt: new Date(nowMs), checkAt: new Date(nowMs + CHECK_CALL_MS) };
  const isNew = await withTransaction(ctx.pool, async (tx) => {
    if (wish.customerId && !(await keepCustomer(tx, wish.customerId))) throw customerNotFound();
    if (wish.tierId && !(await keepTier(tx, wish.tierId))) throw new AppError('NOT_FOUND', 'tier not found');
    return insertOrder(tx, order);
  });
  return isNew ? id : undefined;
}

function customerNotFound(): AppError {
  return new AppError('NOT_FOUND', 'customer not found');
}

/** An order whose payer goes through a page of the processor: row first, then the session under its id. */
export async function openSession(
  ctx: Context,
  wish: OrderWish,
  paramsOf: (orderId: string) => Stripe.Checkout.SessionCreateParams,
): Promise<OpenSession> {
  const { stripe } = requireProcessor(ctx);
  const createdMs = ctx.clock.nowMs();
  const orderId = await openOrder(ctx, createdMs, wish);
  if (orderId === undefined) throw new AppError('CONFLICT', 'another payment of this kind is under way');
  const session = await callForOrder(ctx, orderId, () =>
    stripe.checkout.sessions.create(paramsOf(orderId), { idempotencyKey: orderId }),
  );
  const expiresAt = new Date(session.expires_at * 1_000);
  const checkAt = new Date(createdMs + CHECK_SESSION_MS);
  const page = { id: session.id, url: session.url, expiresAt, checkAt };
  if (!(await noteSession(ctx.pool, orderId, page, ctx.clock.now()))) {
    ctx.orders.wake();
    throw customerNotFound();
  }
  return { orderId, sessionId: session.id, url: session.url ?? '', expiresAt, createdAt: new Date(createdMs) };
}

/**
 * Calls the processor for an order. A call that surely had no effect ends the order; one whose outcome nobody knows
 * leaves it open for `resolve-orders`.
 */
export async function callForOrder<T>(ctx: Context, orderId: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== 'unknown') {
      const message = error instanceof Error ? error.message : String(error);
      await endOrder(ctx.pool, orderId, { status: 'failed', at: ctx.clock.now(), failure: message });
    }
    if (failure === 'missing' && isAboutPrice(error)) {
      throw new AppError('CONFLICT', "the payment processor does not know the tier's billing_price_ref", {
        cause: error,
      });
    }
    throw contractError(error);
  }
}

function isAboutPrice(error: unknown): boolean {
  return String((error as { param?: unknown }).param ?? '').includes('price');
}
