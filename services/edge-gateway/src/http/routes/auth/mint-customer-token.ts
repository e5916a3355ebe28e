import { type CustomerTokenBody, customerTokenBody, customerTokenResponse } from '@tollgate/api/identity';
import { type CustomerTokenInput, mintCustomerToken as mint } from '../../../operations/tokens/mint-customer-token.js';
import { defineRoute } from '../../exchange/route.js';
import { customerTokenJson } from './customer-token-json.js';

export const mintCustomerToken = defineRoute({
  method: 'POST',
  path: '/auth/customer-token',
  tag: 'Authentication',
  summary: 'Mint a token for one customer',
  operationId: 'mintCustomerToken',
  description:
    'A backend mints a token for the customer who uses its app, and hands it to the app. The token is limited to what the customer may do, and to the lifetime that its tier allows.',
  auth: ['secret_key'],
  body: customerTokenBody,
  success: { status: 200, schema: customerTokenResponse },
  refusals: [402, 409],
  handler: async ({ body, principal, call }, ctx) => {
    const minted = await mint(ctx, toTokenInput(body), call);
    return { body: customerTokenJson(minted, principal.projectId) };
  },
});

function toTokenInput(body: CustomerTokenBody): CustomerTokenInput {
  const { customer_id: id, customer_external_id: externalId } = body;
  return {
    by: id === undefined ? { case: 'externalId', value: externalId! } : { case: 'customerId', value: id.toLowerCase() },
    tierCode: body.tier_code,
    ttlSeconds: body.ttl_seconds,
  };
}
