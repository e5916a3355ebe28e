import { usageSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { usageJson } from '../billing/usage-json.js';

export const getMyUsage = defineRoute({
  method: 'GET',
  path: '/customers/me/usage',
  tag: 'Customer self-service',
  summary: 'Get your usage in the current billing window',
  operationId: 'getMyUsage',
  description:
    'Requests, tokens and cost in the current window, with the limit of your tier and the usage of each day.',
  auth: ['customer'],
  success: { status: 200, schema: z.object({ usage: usageSchema }) },
  refusals: [404],
  handler: async ({ principal, call }, ctx) => ({
    body: { usage: usageJson(await ctx.clients.billing.getCustomerUsage({ customerId: principal.customerId }, call)) },
  }),
});
