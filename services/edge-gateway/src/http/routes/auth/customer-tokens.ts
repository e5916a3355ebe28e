import {
  type CustomerTokenBody,
  type CustomerTokenResponse,
  customerTokenBody,
  customerTokenResponse,
} from '@tollgate/api/identity';
import { z } from 'zod';
import {
  type CustomerToken,
  type CustomerTokenInput,
  mintCustomerToken as mint,
} from '../../../operations/tokens/mint-customer-token.js';
import { defineRoute } from '../../exchange/route.js';

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

const publicJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
});

export const getJwks = defineRoute({
  method: 'GET',
  path: '/.well-known/jwks.json',
  tag: 'Authentication',
  summary: 'Get the public keys of tokens; two during a key rotation',
  operationId: 'listSigningKeys',
  description:
    'Verify access tokens and customer tokens with these keys. Cache them, and read them again when a token names an unknown key.',
  auth: 'none',
  success: { status: 200, schema: z.object({ keys: z.array(publicJwk) }) },
  handler: async (_input, ctx) => ({
    body: ctx.tokens.jwks,
    headers: { 'Cache-Control': 'public, max-age=300' },
  }),
});

export function customerTokenJson(minted: CustomerToken, projectId: string): CustomerTokenResponse {
  return {
    token: minted.token,
    token_type: 'Bearer',
    expires_at: minted.expiresAt.toISOString(),
    expires_in: minted.ttlSeconds,
    project_id: projectId,
    customer_id: minted.customerId,
    customer_external_id: minted.externalId,
    ...(minted.tierCode !== '' && { tier_code: minted.tierCode }),
    ...(minted.billingProfileId !== '' && { billing_profile_id: minted.billingProfileId }),
  };
}
