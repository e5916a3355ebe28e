import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { classifyFailure, contractError } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { keepCustomer } from '../../../store/customers/customers.js';
import { endOrder, insertOrder, type NewOrder, noteSession } from '../../../store/payments/payment-orders.js';
import { keepTier } from '../../../store/tiers/tiers.js';
import { requireProcessor } from '../payment-context.js';

/** How long to wait for a webhook event before reading the processor: after a call, and after opening a checkout page. */
const CHECK_CALL_MS = 120_000;
const CHECK_SESSION_MS = 900_000;

type OrderInput = Omit<NewOrder, 'id' | 'createdAt' | 'checkAt'>;

export interface OpenSession {
  orderId: string;
  sessionId: string;
  url: string;
  expiresAt: Date;
  createdAt: Date;
}

/**
 * Records an order before the processor is called. Returns undefined if another order is open and only one is allowed.
 * Locks the customer and the tier: a concurrent deletion either sees the order or makes this call fail.
 *
 * @throws AppError NOT_FOUND
 */
export async function openOrder(
  ctx: Pick<Context, 'pool'>,
  nowMs: number,
  input: OrderInput,
): Promise<string | undefined> {
  const id = randomUUID();
  const order = { ...input, id, createdAt: new Date(nowMs), checkAt: new Date(nowMs + CHECK_CALL_MS) };
  const isNew = await withTransaction(ctx.pool, async (tx) => {
    if (input.customerId && !(await keepCustomer(tx, input.customerId))) throw customerNotFound();
    if (input.tierId && !(await keepTier(tx, input.tierId))) throw new AppError('NOT_FOUND', 'tier not found');
    return insertOrder(tx, order);
  });
  return isNew ? id : undefined;
}

function customerNotFound(): AppError {
  return new AppError('NOT_FOUND', 'customer not found');
}

/** Records an order, then creates its checkout session with the order's id as idempotency key. */
export async function openSession(
  ctx: Pick<Context, 'clock' | 'orders' | 'pool' | 'processor'>,
  input: OrderInput,
  toParams: (orderId: string) => Stripe.Checkout.SessionCreateParams,
): Promise<OpenSession> {
  const { stripe } = requireProcessor(ctx);
  const createdMs = ctx.clock.nowMs();
  const orderId = await openOrder(ctx, createdMs, input);
  if (orderId === undefined) throw new AppError('CONFLICT', 'another payment of this kind is in progress');
  const params = toParams(orderId);
  // Balances and tiers have one currency, so the page must not offer to pay in the payer's own.
  const pricing = params.mode === 'setup' ? {} : { adaptive_pricing: { enabled: false } };
  const session = await callForOrder(ctx, orderId, () =>
    stripe.checkout.sessions.create({ ...params, ...pricing }, { idempotencyKey: orderId }),
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
 * Calls the processor for an order. A failure without effect ends the order; a failure with an unknown outcome leaves it
 * open for `resolve-orders`.
 */
export async function callForOrder<T>(
  ctx: Pick<Context, 'clock' | 'pool'>,
  orderId: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const failure = classifyFailure(error);
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
