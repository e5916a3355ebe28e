import {
  type CustomerTokenBody,
  type CustomerTokenResponse,
  customerTokenBody,
  customerTokenResponse,
} from '@tollgate/api';
import { type CustomerTokenWish, mintCustomerToken as mint } from '../../../operations/mint-customer-token.js';
import { defineRoute } from '../../route.js';

export const mintCustomerToken = defineRoute({
  method: 'POST',
  path: '/auth/customer-token',
  tag: 'Authentication',
  summary: 'Mint a token for one customer',
  auth: ['secret_key'],
  body: customerTokenBody,
  success: { status: 200, schema: customerTokenResponse },
  handler: async ({ body, principal, call }, ctx) => {
    const minted = await mint(ctx, wishOf(body), call);
    const answer: CustomerTokenResponse = {
      token: minted.token,
      token_type: 'Bearer',
      expires_at: minted.expiresAt.toISOString(),
      expires_in: minted.ttlSeconds,
      project_id: principal.projectId,
      customer_id: minted.customerId,
      customer_external_id: minted.externalId,
      ...(minted.tierCode !== '' && { tier_code: minted.tierCode }),
      ...(minted.billingProfileId !== '' && { billing_profile_id: minted.billingProfileId }),
    };
    return { body: answer };
  },
});

function wishOf(body: CustomerTokenBody): CustomerTokenWish {
  const { customer_id: id, customer_external_id: externalId } = body;
  return {
    by: id === undefined ? { case: 'externalId', value: externalId! } : { case: 'customerId', value: id.toLowerCase() },
    tierCode: body.tier_code,
    ttlSeconds: body.ttl_seconds,
  };
}
