import { customerEnvelopeSchema } from '@tollgate/api/billing';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../context.js';
import { defineRoute, type JsonResult } from '../../exchange/route.js';
import { envelopeJson } from './customer-json.js';
import { customerParams } from './customers.js';

const shared = {
  method: 'POST',
  tag: 'Customers',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: customerEnvelopeSchema },
} as const;

export const blockCustomer = defineRoute({
  ...shared,
  path: '/customers/:id/block',
  summary: "Refuse a customer's requests until it is unblocked",
  operationId: 'blockCustomer',
  description:
    'Within five seconds each request of the customer is refused with 403. Requests that have started, the wallet and the subscription are kept.',
  audit: 'customer.blocked',
  handler: ({ params: { id }, call }, ctx) => setBlocked(ctx, id, true, call),
});

export const unblockCustomer = defineRoute({
  ...shared,
  path: '/customers/:id/unblock',
  summary: "Accept a blocked customer's requests again",
  operationId: 'unblockCustomer',
  description: 'Changes nothing for a customer that is not blocked.',
  audit: 'customer.unblocked',
  handler: ({ params: { id }, call }, ctx) => setBlocked(ctx, id, false, call),
});

async function setBlocked(
  { clients }: Pick<Context, 'clients'>,
  id: string,
  blocked: boolean,
  call: Call,
): Promise<JsonResult> {
  const { envelope } = await clients.billing.updateCustomer({ id, blocked }, call);
  return { body: envelopeJson(envelope) };
}
