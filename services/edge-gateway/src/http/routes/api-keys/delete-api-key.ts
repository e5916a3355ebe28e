import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { revokeApiKey } from '../../../operations/api-keys/revoke-api-key.js';
import { defineRoute } from '../../exchange/route.js';

export const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/api-keys/:id',
  tag: 'API keys',
  summary: 'Revoke a key; every edge rejects it within five seconds',
  operationId: 'deleteApiKey',
  description: 'A revoked key cannot be restored.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  success: { status: 204 },
  audit: 'api_key.revoked',
  handler: async ({ params, principal }, ctx) => {
    const id = z.guid().toLowerCase().safeParse(params.id);
    if (!id.success) throw new AppError('NOT_FOUND', 'API key not found');
    await revokeApiKey(ctx, principal.accountId, id.data);
    return { status: 204 };
  },
});
