import { revokeApiKey } from '../../../operations/api-keys/revoke-api-key.js';
import { defineRoute } from '../../exchange/route.js';
import { apiKeyParams, requireKeyId } from './params.js';

export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/api-keys/:id',
  tag: 'API keys',
  summary: 'Revoke a key; every edge rejects it within five seconds',
  operationId: 'deleteApiKey',
  description: 'A revoked key cannot be restored.',
  auth: ['owner'],
  params: apiKeyParams,
  success: { status: 204 },
  audit: 'api_key.revoked',
  handler: async ({ params, principal }, ctx) => {
    await revokeApiKey(ctx, principal.accountId, requireKeyId(params));
    return { status: 204 };
  },
});
