import { listWebhooksQuery, listWebhooksResponse, nextCursor } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { webhookJson } from './render.js';

export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/projects/:id/webhooks',
  tag: 'Webhooks',
  summary: 'List webhooks, oldest first',
  auth: ['owner'],
  params: projectParams,
  query: listWebhooksQuery,
  success: { status: 200, schema: listWebhooksResponse },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const page = await ctx.clients.hooks.listWebhooks({ limit, offset }, input.call.with({ principal }));
    const webhooks = page.webhooks.map(webhookJson);
    return { body: { webhooks, ...nextCursor(offset, webhooks.length, page.hasMore) } };
  },
});
