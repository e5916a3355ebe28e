import { listApiKeysQuery, listApiKeysResponse } from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import { readKeySpend } from '../../../operations/api-keys/key-spend.js';
import { listApiKeys as readApiKeys } from '../../../store/api-keys.js';
import { defineRoute } from '../../exchange/route.js';
import { apiKeyJson } from './api-key-json.js';

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'List the account’s keys, newest first',
  operationId: 'listApiKeys',
  description: 'Returns keys without their values, with what each has spent.',
  auth: ['owner'],
  query: listApiKeysQuery,
  success: { status: 200, schema: listApiKeysResponse },
  handler: async ({ query: { limit, offset, project_id: projectId }, principal, call }, ctx) => {
    const filter = { accountId: principal.accountId, projectId };
    const [found, spend] = await Promise.all([
      readApiKeys(ctx.pool, filter, { limit: limit + 1, offset }),
      readKeySpend(ctx, call),
    ]);
    const page = found.slice(0, limit);
    const keys = page.map((key) => {
      const spentMicrocents = spend && key.kind === 'secret' ? (spend.get(key.id) ?? 0n) : undefined;
      return apiKeyJson(key, ctx.config.keyPrefix, { spentMicrocents });
    });
    return { body: { api_keys: keys, ...nextCursor(offset, page.length, found.length > limit) } };
  },
});
