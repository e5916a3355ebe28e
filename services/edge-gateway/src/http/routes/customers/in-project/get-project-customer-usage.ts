import { usageSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { requireProject } from '../../../../auth/project-scope.js';
import { defineRoute } from '../../../exchange/route.js';
import { usageJson } from '../billing/usage-json.js';
import { projectCustomerParams } from '../params.js';

export const getProjectCustomerUsage = defineRoute({
  method: 'GET',
  path: '/projects/:id/customers/:customer_id/usage',
  tag: 'Customers',
  summary: "Get a customer's usage in the current billing window (dashboard)",
  operationId: 'getProjectCustomerUsage',
  description: 'Requests, tokens and cost in the current window, with the limit of the tier and the usage of each day.',
  auth: ['owner'],
  params: projectCustomerParams,
  success: { status: 200, schema: z.object({ usage: usageSchema }) },
  handler: async (input, ctx) => {
    const principal = await requireProject(ctx, input, input.params.id);
    const usage = await ctx.clients.billing.getCustomerUsage(
      { customerId: input.params.customer_id },
      input.call.with({ principal }),
    );
    return { body: { usage: usageJson(usage) } };
  },
});
