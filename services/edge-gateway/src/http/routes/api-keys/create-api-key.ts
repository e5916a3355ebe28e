import { apiKeyResponse, createApiKeyBody } from '@tollgate/api/identity';
import { requireProject } from '../../../auth/project-scope.js';
import { issueApiKey } from '../../../operations/api-keys/issue-api-key.js';
import { defineRoute } from '../../exchange/route.js';
import { apiKeyJson } from './api-key-json.js';
import { requireExpiry } from './params.js';

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'Create a key; only this response contains its value',
  operationId: 'createApiKey',
  description:
    'Store the value: it is not shown again. A key belongs to one project, and may have an expiry and a spend limit.',
  auth: ['owner'],
  body: createApiKeyBody,
  success: { status: 201, schema: apiKeyResponse },
  refusals: [404],
  audit: 'api_key.created',
  handler: async (input, ctx) => {
    const { body, principal } = input;
    const { projectId } = await requireProject(ctx, input, body.project_id ?? principal.projectId);
    const expiresAt = requireExpiry(body.expires_at, ctx.clock.now());
    const { key, secret } = await issueApiKey(ctx, ctx.pool, {
      projectId,
      kind: body.kind,
      label: body.label,
      spendLimitCents: body.spend_limit_cents === undefined ? undefined : BigInt(body.spend_limit_cents),
      expiresAt,
      issuedBy: principal.userId,
    });
    const spentMicrocents = body.kind === 'secret' ? 0n : undefined;
    return { body: { api_key: apiKeyJson(key, ctx.config.keyPrefix, { secret, spentMicrocents }) } };
  },
});
