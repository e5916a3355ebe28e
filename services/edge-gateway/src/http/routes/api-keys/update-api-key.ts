import { apiKeyResponse, updateApiKeyBody } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { updateApiKeyRow } from '../../../store/gen/api-keys.js';
import { defineRoute } from '../../exchange/route.js';
import { apiKeyJson } from './api-key-json.js';
import { apiKeyParams, requireExpiry, requireKeyId } from './params.js';

export const updateApiKey = defineRoute({
  method: 'PATCH',
  path: '/api-keys/:id',
  tag: 'API keys',
  summary: "Change a key's label or expiry; edges apply it within five seconds",
  auth: ['owner'],
  params: apiKeyParams,
  body: updateApiKeyBody,
  success: { status: 200, schema: apiKeyResponse },
  audit: 'api_key.updated',
  handler: async ({ params, body, principal }, ctx) => {
    const expiresAt = body.expires_at === null ? null : requireExpiry(body.expires_at, ctx.clock.now());
    const key = await updateApiKeyRow(ctx.pool, {
      accountId: principal.accountId,
      keyId: requireKeyId(params),
      label: body.label ?? null,
      setsExpiry: expiresAt !== undefined,
      expiresAt: expiresAt ?? null,
    });
    if (!key) throw new AppError('NOT_FOUND', 'API key not found');
    return { body: { api_key: apiKeyJson(key, ctx.config.keyPrefix) } };
  },
});
