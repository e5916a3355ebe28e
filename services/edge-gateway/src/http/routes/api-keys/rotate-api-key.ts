import { apiKeyResponse, rotateApiKeyBody } from '@tollgate/api/identity';
import { isLimitedToProject } from '../../../auth/project-scope.js';
import { rotateApiKey as rotate } from '../../../operations/api-keys/rotate-api-key.js';
import { defineRoute } from '../../exchange/route.js';
import { apiKeyJson } from './api-key-json.js';
import { apiKeyParams, requireExpiry, requireKeyId } from './params.js';

export const rotateApiKey = defineRoute({
  method: 'POST',
  path: '/api-keys/:id/rotate',
  tag: 'API keys',
  summary: 'Replace a key by a new one of the same label and kind; the old one keeps working for the overlap',
  operationId: 'rotateApiKey',
  auth: ['owner'],
  params: apiKeyParams,
  body: rotateApiKeyBody,
  success: { status: 201, schema: apiKeyResponse },
  refusals: [409],
  audit: 'api_key.rotated',
  handler: async ({ params, body, principal }, ctx) => {
    const { key, secret } = await rotate(ctx, {
      accountId: principal.accountId,
      keyId: requireKeyId(params),
      userId: principal.userId,
      isGuest: await isLimitedToProject(ctx, principal),
      overlapMs: body.overlap_seconds * 1_000,
      expiresAt: requireExpiry(body.expires_at, ctx.clock.now()),
    });
    const spentMicrocents = key.kind === 'secret' ? 0n : undefined;
    return { body: { api_key: apiKeyJson(key, ctx.config.keyPrefix, { secret, spentMicrocents }) } };
  },
});
