import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, isAppError, toWire } from '@tollgate/errors';
import type Stripe from 'stripe';
import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { returnUrlFaults } from '../../../domain/payments/return-url.js';
import { findProcessorCustomer } from '../../../store/payments/processor-customers.js';
import { findCustomer } from '../../customers/find-customer.js';
import { ensureProcessorCustomer } from '../ensure-processor-customer.js';
import { requireProcessor } from '../payment-context.js';

/** Opens the processor's page on which a customer changes its card, sees its invoices and cancels. */
export async function createBillingPortal(
  ctx: Pick<Context, 'pool' | 'processor'>,
  principal: Principal,
  { customerId, returnUrl }: { customerId: string; returnUrl: string },
): Promise<{ url: string }> {
  const fields = returnUrlFaults({ return_url: returnUrl });
  if (fields.length > 0) throw new AppError('VALIDATION_ERROR', `return_url ${fields[0]?.message}`, { fields });
  if (principal.byob) throw new AppError('CONFLICT', 'this project bills its customers outside of Tollgate');
  const customer = await findCustomer(ctx, principal.projectId, { case: 'id', value: customerId });
  const payer = await ensureProcessorCustomer(ctx, 'customer', customer.id, customer.email);
  const { url } = await openPortal(ctx, { customer: payer, return_url: returnUrl });
  return { url };
}

export function openPortal(
  ctx: Pick<Context, 'processor'>,
  params: Stripe.BillingPortal.SessionCreateParams,
): Promise<Stripe.BillingPortal.Session> {
  const { stripe } = requireProcessor(ctx);
  return ask(stripe.billingPortal.sessions.create(params));
}

/**
 * Adds the processor's page for another card to an error about a customer's card. Returns other errors as they are, and this
 * one where the processor has no such page.
 */
export async function withCardPage(
  ctx: Pick<Context, 'logger' | 'pool' | 'processor'>,
  customerId: string,
  error: unknown,
): Promise<unknown> {
  if (!isAppError(error) || error.code !== 'PAYMENT_REQUIRED') return error;
  const customer = await findProcessorCustomer(ctx.pool, 'customer', customerId);
  if (!customer) return error;
  try {
    const { url } = await openPortal(ctx, { customer, flow_data: { type: 'payment_method_update' } });
    return new AppError(error.code, error.message, { ...toWire(error), cause: error.cause, actionUrl: url });
  } catch (err) {
    ctx.logger.warn({ err, customer: customerId }, 'no page for another card');
    return error;
  }
}
