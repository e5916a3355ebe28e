import { accountTopUpSchema } from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { accountTopUpJson } from '../payments-json.js';

export const listAccountTopUps = defineRoute({
  method: 'GET',
  path: '/account/topups',
  tag: 'Account',
  summary: "List the owner's top-ups, including automatic ones, newest first",
  operationId: 'listAccountTopUps',
  description: 'Each entry has its status and what was refunded.',
  auth: ['owner'],
  query: pageQuery(50, 200),
  success: {
    status: 200,
    schema: z.object({ topups: z.array(accountTopUpSchema), next_cursor: z.string().optional() }),
  },
  handler: async ({ query, call }, ctx) => {
    const { topUps, hasMore } = await ctx.clients.payments.listAccountTopUps(query, call);
    return { body: { topups: topUps.map(accountTopUpJson), ...nextCursor(query.offset, topUps.length, hasMore) } };
  },
});
